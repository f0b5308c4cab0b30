/// A whole answer: its head and its body.
///
/// Its descriptions show the status and the sizes; what may be secret is in the properties.
public struct DataResponse: Sendable {
    /// The status code.
    public let statusCode: Int
    /// The header fields of the answer.
    public let headers: HTTPHeaders
    /// The body, with its content coding undone. Empty where there was none.
    public let data: Data
    /// Where the answer came from: the request's URL, or the one that the last redirect led to.
    public internal(set) var url: URL?
    /// The method of the request that was answered.
    public internal(set) var method: HTTPMethod?
    /// How often the request was sent for this answer, redirects not counted; 1 when the first answer was it.
    public internal(set) var attempts = 1
    /// Who answered: the network, or a cache, which says whether it asked the server first.
    public var source = ResponseSource.network
    /// What an error that comes of this answer is to say besides.
    var note: String?
    /// Where the time went, as far as the transport tells; nil for a stub.
    public var metrics: TransferMetrics?

    /// An answer, as a transport gives it.
    ///
    /// - Parameters:
    ///   - statusCode: The status code, 200 to 599.
    ///   - headers: The header fields; repeated ones kept apart where the transport can.
    ///   - data: The body, with its content coding undone.
    ///   - url: Where the answer came from; nil means where the request was sent.
    public init(statusCode: Int, headers: HTTPHeaders = [:], data: Data = Data(), url: URL? = nil) {
        self.statusCode = statusCode
        self.headers = headers
        self.data = data
        self.url = url
    }

    /// The head as Foundation has it, made anew for each call; nil where the answer has no URL.
    public var httpURLResponse: HTTPURLResponse? {
        let fields = Dictionary(headers.map { ($0.name, $0.value) }) { "\($0), \($1)" }
        return url.flatMap {
            HTTPURLResponse(url: $0, statusCode: statusCode, httpVersion: "HTTP/1.1", headerFields: fields)
        }
    }
}

extension DataResponse: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
    /// The status, the URL without secrets and the size: `200 https://api.example.com/users (5645 bytes)`.
    public var description: String {
        ["\(statusCode)", url?.redacted.absoluteString, "(\(data.count) bytes)"].compactMap(\.self)
            .joined(separator: " ")
    }
    /// The same as ``description``.
    public var debugDescription: String { description }
    /// The description alone, so that `dump` shows no header value and no body.
    public var customMirror: Mirror { Mirror(self, children: ["description": description]) }
}
