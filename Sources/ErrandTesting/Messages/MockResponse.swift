public import Errand

/// What a ``MockServer`` answers: a well-formed response, one with a ``MockFault``, or any bytes at all.
///
/// ```swift
/// .json(data).with(header: "ETag", "\"1\"")
/// .status(503).with(header: "Retry-After", "2")
/// .raw("HTTP/1.1 abc\r\n\r\n")
/// ```
///
/// Header fields are sent as they are written here, repeats and all. `Content-Length`, `Transfer-Encoding` and
/// `Connection` are added where the body needs them and `headers` does not have them already.
public struct MockResponse: Sendable {
    /// A body and how its end is marked.
    public enum Body: Sendable {
        /// None, with `Content-Length: 0` where a status may have one.
        case empty
        /// With a `Content-Length`.
        case sized(Data)
        /// In these chunks, empty ones left out, with trailer fields behind the last. An HTTP/1.0 client, which cannot
        /// read chunks, gets them as ``untilClose(_:)``.
        case chunked([Data], trailers: HeaderFields = [:])
        /// Ended by closing the connection.
        case untilClose(Data)
        /// In the chunks that a closure gives, each sent when it comes, until nil: a body that goes on while the test, or
        /// the server, finds more to say.
        ///
        /// The closure is asked for one chunk after the other, and cancelled when the client closes; empty chunks are left
        /// out. When it throws, the connection is closed. A ``MockFault`` of the body falls right behind the head.
        case stream(Chunks)
    }

    /// What gives the chunks of a body, and nil at its end.
    public typealias Chunks = @Sendable () async throws -> Data?

    /// The status code; setting it sets ``reason`` to its standard phrase.
    public var statusCode: Int {
        didSet { reason = Self.standardReason(for: statusCode) }
    }
    /// The reason phrase, by default the standard one; nil leaves it out.
    public var reason: String?
    /// The header fields, in order.
    public var headers: HeaderFields
    /// The body, which is not sent in answer to HEAD, nor with status 204 or 304.
    public var body: Body
    /// When set, these bytes are sent in place of everything above.
    public var raw: Data?
    /// Whether the connection is closed afterwards, even if the client would keep it.
    public var closesConnection = false
    /// What goes wrong while sending it.
    public var fault: MockFault?
    /// Makes the body, each time that this is sent anew; nil for ``body`` itself.
    var bodyMaker: (@Sendable () -> Body)?
    /// What is spoken over the connection once this is sent, in place of HTTP.
    var upgrade: (@Sendable (any ByteConnection) async -> Void)?
    /// What a request fails with in place of all this, where there is no server.
    var failure: URLError.Code?
    /// How much later it comes.
    var latency: Latency?

    /// A response with the standard phrase for its status.
    public init(statusCode: Int = 200, headers: HeaderFields = [:], body: Body = .empty) {
        self.statusCode = statusCode
        self.reason = Self.standardReason(for: statusCode)
        self.headers = headers
        self.body = body
    }
}

extension MockResponse {
    /// Whether a response with this status can have a body at all (RFC 9112, section 6.3).
    var mayHaveBody: Bool { ![204, 304].contains(statusCode) && !(100..<200 ~= statusCode) }

    /// The phrase that RFC 9110, section 15, and its companions give for a status; `nil` for an unknown status.
    static func standardReason(for statusCode: Int) -> String? {
        standardReasons[statusCode]
    }

    private static let standardReasons: [Int: String] = [
        100: "Continue", 101: "Switching Protocols", 103: "Early Hints",
        200: "OK", 201: "Created", 202: "Accepted", 203: "Non-Authoritative Information", 204: "No Content",
        205: "Reset Content", 206: "Partial Content", 207: "Multi-Status",
        300: "Multiple Choices", 301: "Moved Permanently", 302: "Found", 303: "See Other", 304: "Not Modified",
        305: "Use Proxy", 307: "Temporary Redirect", 308: "Permanent Redirect",
        400: "Bad Request", 401: "Unauthorized", 402: "Payment Required", 403: "Forbidden", 404: "Not Found",
        405: "Method Not Allowed", 406: "Not Acceptable", 407: "Proxy Authentication Required",
        408: "Request Timeout", 409: "Conflict", 410: "Gone", 411: "Length Required", 412: "Precondition Failed",
        413: "Content Too Large", 414: "URI Too Long", 415: "Unsupported Media Type", 416: "Range Not Satisfiable",
        417: "Expectation Failed", 418: "I'm a teapot", 421: "Misdirected Request", 422: "Unprocessable Content",
        423: "Locked", 424: "Failed Dependency", 425: "Too Early", 426: "Upgrade Required",
        428: "Precondition Required", 429: "Too Many Requests", 431: "Request Header Fields Too Large",
        451: "Unavailable For Legal Reasons",
        500: "Internal Server Error", 501: "Not Implemented", 502: "Bad Gateway", 503: "Service Unavailable",
        504: "Gateway Timeout", 505: "HTTP Version Not Supported", 507: "Insufficient Storage",
        511: "Network Authentication Required",
    ]
}
