public import Errand

/// A closure that returns the response for a request. If it throws, a server responds with 500 and the error's
/// description, and stubs fail with the error.
public typealias MockHandler = @Sendable (MockRequest) async throws -> MockResponse

/// A response of a `MockServer`: a well-formed one, one with a ``MockFault``, or arbitrary bytes.
///
/// ```swift
/// .json(data).with(header: "ETag", "\"1\"")
/// .status(503).with(header: "Retry-After", "2")
/// .raw("HTTP/1.1 abc\r\n\r\n")
/// ```
///
/// Header fields are sent as they are given, including repeated ones. A line break in a field, in a trailer field or in
/// the reason phrase is refused: a `MockServer` responds with 500 and a text that says so, and ``RouteStubs`` fail
/// the request. To send a malformed head, use ``raw(_:)-(String)``. `Content-Length`, `Transfer-Encoding` and
/// `Connection` are added if the body needs them and `headers` does not contain them.
public struct MockResponse: Sendable {
    /// A body and the marking of its end.
    public enum Body: Sendable {
        /// No body, with `Content-Length: 0` if the status allows it.
        case empty
        /// A body with a `Content-Length`.
        case sized(Data)
        /// A chunked body, without empty chunks, with trailer fields after the last chunk. An HTTP/1.0 client, which
        /// cannot read chunks, gets it as ``untilClose(_:)``.
        case chunked([Data], trailers: HeaderFields = [:])
        /// A body that ends when the connection is closed.
        case untilClose(Data)
        /// A chunked body from a closure. Each chunk is sent when the closure returns it, until it returns `nil`.
        ///
        /// The closure is called for one chunk at a time, and is cancelled when the client closes the connection. Empty
        /// chunks are omitted. If the closure throws, the connection is closed.
        case stream(Chunks)
    }

    /// A closure that returns the chunks of a body one by one, and `nil` at its end.
    public typealias Chunks = @Sendable () async throws -> Data?

    /// The status code. Setting it also sets ``reason`` to the standard phrase.
    public var statusCode: Int {
        didSet { reason = Self.standardReason(for: statusCode) }
    }
    /// The reason phrase, by default the standard one; `nil` to omit it.
    public var reason: String?
    /// The header fields, in order.
    public var headers: HeaderFields
    /// The body. It is not sent in response to HEAD, or with status 204 or 304.
    public var body: Body
    /// The bytes that are sent in place of all properties above; `nil` by default.
    public var raw: Data?
    /// Whether the connection is closed after the response, even if the client would keep it open.
    public var closesConnection = false
    /// The fault in sending the response.
    public var fault: MockFault?
    /// Makes the body each time the response is sent; `nil` to use ``body``.
    package var bodyMaker: (@Sendable () -> Body)?
    /// Takes over the connection after the response, for another protocol than HTTP.
    package var upgrade: (@Sendable (any ByteConnection) async -> Void)?
    /// The network failure in place of the response, for stubs.
    var failure: URLError.Code?
    /// The delay of the response.
    var latency: Latency?

    /// Creates a response with the standard reason phrase of its status.
    public init(statusCode: Int = 200, headers: HeaderFields = [:], body: Body = .empty) {
        self.statusCode = statusCode
        self.reason = Self.standardReason(for: statusCode)
        self.headers = headers
        self.body = body
    }
}

extension MockResponse {
    /// Whether a response with this status can have a body (RFC 9112, section 6.3).
    package var mayHaveBody: Bool { ![204, 304].contains(statusCode) && !(100..<200 ~= statusCode) }

    /// A description of the line break that the head or the trailer fields contain; `nil` if they can be sent.
    package var lineBreak: String? {
        if raw != nil { return nil }
        if reason?.hasLineBreak == true { return "a line break in the reason phrase" }
        if case .chunked(_, let trailers) = body, let found = trailers.lineBreak { return "\(found) of the trailer" }
        return headers.lineBreak
    }

    /// Returns the standard reason phrase of a status (RFC 9110, section 15, and other RFCs); `nil` for an unknown
    /// status.
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
