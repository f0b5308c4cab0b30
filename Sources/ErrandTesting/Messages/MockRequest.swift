public import Errand

/// A request as a ``MockServer`` received it.
public struct MockRequest: Sendable {
    /// The method, as it was sent.
    public let method: RequestMethod
    /// The request target, as it was sent: for most requests the path and the query, percent-encoded.
    public let target: String
    /// The HTTP version, `"HTTP/1.1"` or `"HTTP/1.0"`.
    public let version: String
    /// The header fields, in order and with repeats.
    public let headers: HeaderFields
    /// Every byte of the head exactly as it came, from the request line to the empty line, both included.
    public let rawHead: Data
    /// The body with any chunked coding taken off; empty when there was none.
    public internal(set) var body = Data()
    /// The fields that followed a chunked body.
    public internal(set) var trailers = HeaderFields()
    /// What the route's `:name` segments matched, percent-decoded, by name; what a trailing `*` matched, under `"*"`.
    public internal(set) var parameters: [String: String] = [:]
    /// Whether all of it came: false where a ``MockUploadFault`` ended the reading.
    public internal(set) var isComplete = true
    /// What was agreed on with the client; nil where the server does not speak TLS.
    public internal(set) var tls: TLS?
    /// The number of the connection it came over, counted from 1: two requests with the same number shared one.
    public internal(set) var connection = 0

    /// The path of the target, percent-decoded.
    public var path: String {
        let path = String(encodedPath)
        return path.removingPercentEncoding ?? path
    }

    /// The items of the target's query, percent-decoded, in order and with repeats; a plus sign stays one.
    public var queryItems: [URLQueryItem] {
        guard let mark = target.firstIndex(of: "?") else { return [] }
        return URLComponents(string: String(target[mark...]))?.queryItems ?? []
    }

    /// The body read as UTF-8, anything malformed replaced by U+FFFD.
    public var text: String {
        String(decoding: body, as: UTF8.self)
    }

    /// The path of the target as it was sent, also of an absolute target as proxies get it.
    var encodedPath: Substring {
        let resource = target.prefix { $0 != "?" }
        guard let scheme = resource.range(of: "://") else { return resource }
        return resource[scheme.upperBound...].drop { $0 != "/" }
    }

    /// Whether the client means to send more over this connection (RFC 9112, section 9.3).
    var keepsConnection: Bool {
        let options = headers[values: "Connection"].flatMap { $0.split(separator: ",") }
            .map { $0.trimmingCharacters(in: .whitespaces).lowercased() }
        return version == "HTTP/1.1" ? !options.contains("close") : options.contains("keep-alive")
    }
}
