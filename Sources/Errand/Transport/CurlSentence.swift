/// The text that libcurl writes about a failure, and what it says beyond the code.
///
/// `URLSession` on Linux passes the same texts on, so both transports explain a failure in the same words. The texts
/// are not part of libcurl's interface: a text that is not recognized explains nothing, and the words of the code alone
/// remain.
struct CurlSentence {
    let text: String

    init(_ text: String) {
        self.text = text
    }

    /// The reason for a failure with this code; `nil` when the text says no more than the code.
    ///
    /// - Parameter host: The host name that the request's URL has.
    func reason(for code: URLError.Code, host: String?) -> String? {
        switch code {
        case .cannotFindHost: unresolvedName
        case .cannotConnectToHost: address.map { "could not connect to \($0)" }
        case .networkConnectionLost where text.hasPrefix("Empty reply"):
            "the server closed the connection without a response"
        case .serverCertificateUntrusted: isAboutName ? Self.wrongName(host) : nil
        case .secureConnectionFailed: handshakeFailure
        default: nil
        }
    }

    /// The server or proxy in `Failed to connect to localhost port 8080 after 0 ms: …`, as `localhost:8080`.
    var address: String? {
        guard let rest = text.after("Failed to connect to "), let host = rest.before(" port ") else { return nil }
        let port = rest.after(" port ")?.prefix { $0.isASCII && $0.isNumber } ?? ""
        guard !host.isEmpty, !port.isEmpty else { return nil }
        return host.contains(":") ? "[\(host)]:\(port)" : "\(host):\(port)"
    }

    /// The alert with which the server ended TLS (RFC 8446, section 6.2), as OpenSSL writes it.
    var alert: String? { text.after(" alert ") }

    /// `Could not resolve host: x`, `Could not resolve proxy: x`.
    private var unresolvedName: String? {
        if let proxy = text.after("resolve proxy: ") { return "no address was found for the proxy \"\(proxy)\"" }
        return text.after("resolve host: ").map { "no address was found for the host name \"\($0)\"" }
    }

    /// `no alternative certificate subject name matches target host name 'x'` and similar texts.
    private var isAboutName: Bool { text.contains("match") && text.contains("target") }

    private static func wrongName(_ host: String?) -> String {
        "the server's certificate is not valid for the host name \"\(host ?? "")\""
    }

    private var handshakeFailure: String? {
        // What OpenSSL says of a record that is not TLS, such as the beginning of an HTTP response.
        if ["wrong version number", "packet length too long"].contains(where: text.contains) {
            return "the server does not speak TLS"
        }
        if let alert { return "the server ended the TLS handshake with the alert \"\(alert)\"" }
        // OpenSSL 3.0 and earlier reports a close as a failed system call.
        let isClosed = ["SSL_ERROR_SYSCALL", "unexpected eof"].contains(where: text.contains)
        return isClosed ? "the connection was lost in the TLS handshake" : nil
    }
}

extension StringProtocol {
    /// The text after the first occurrence of `part`.
    fileprivate func after(_ part: String) -> String? { range(of: part).map { String(self[$0.upperBound...]) } }

    /// The text before the first occurrence of `part`.
    fileprivate func before(_ part: String) -> String? { range(of: part).map { String(self[..<$0.lowerBound]) } }
}
