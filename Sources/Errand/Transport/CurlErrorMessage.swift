/// libcurl's error message, with the details that it has in addition to the error code.
///
/// `URLSession` on Linux passes the same messages on, so both transports explain a failure in the same words. The
/// messages are not part of libcurl's interface. An unknown message gives no reason, and only the description of the
/// code remains, unless the code has only one cause.
struct CurlErrorMessage {
    let text: String

    init(_ text: String) {
        self.text = text
    }

    /// Returns the reason for a failure with a code; `nil` if the message has no more details than the code.
    ///
    /// - Parameter host: The host name in the request's URL.
    func reason(for code: URLError.Code, host: String?) -> String? {
        switch code {
        case .cannotFindHost: unresolvedName
        case .cannotConnectToHost: address.map { "could not connect to \($0)" }
        case .networkConnectionLost where text.hasPrefix("Empty reply"):
            "the server closed the connection without a response"
        case .serverCertificateUntrusted: isAboutName ? Self.wrongName(host) : nil
        case .secureConnectionFailed: handshakeFailure
        // libcurl's own limits, the only causes of this code. Later versions limit all lines together, and say so;
        // earlier ones limit each line, and say only that memory ran out.
        case .dataLengthExceedsMaximum where text.hasPrefix("Too large"):
            "the head of the response is longer than libcurl accepts, 300 KiB"
        case .dataLengthExceedsMaximum: "a line of the response's head is longer than libcurl accepts, 100 KiB"
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

    /// The TLS alert that the server sent (RFC 8446, section 6.2), in OpenSSL's words.
    var alert: String? { text.after(" alert ") }

    /// The reason in `Could not resolve host: x` or `Could not resolve proxy: x`.
    private var unresolvedName: String? {
        if let proxy = text.after("resolve proxy: ") { return "no address was found for the proxy \"\(proxy)\"" }
        return text.after("resolve host: ").map { "no address was found for the host name \"\($0)\"" }
    }

    /// Whether the message is `no alternative certificate subject name matches target host name 'x'` or a similar one.
    private var isAboutName: Bool { text.contains("match") && text.contains("target") }

    private static func wrongName(_ host: String?) -> String {
        "the server's certificate is not valid for the host name \"\(host ?? "")\""
    }

    private var handshakeFailure: String? {
        // OpenSSL's messages for a record that is not TLS, such as the start of an HTTP response.
        if ["wrong version number", "packet length too long"].contains(where: text.contains) {
            return "the server does not speak TLS"
        }
        if let alert { return "the server ended the TLS handshake with the alert \"\(alert)\"" }
        // OpenSSL has two messages for a connection that ends in the handshake.
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
