/// A whole answer: its head and its body.
///
/// Its descriptions show the status and the sizes; what may be secret is in the properties.
public struct DataResponse: Sendable {
    /// The status code.
    public var statusCode: Int { contents.statusCode }
    /// The header fields of the answer.
    public var headers: HTTPHeaders { contents.headers }
    /// The body, with its content coding undone. Empty where there was none.
    public var data: Data { contents.data }
    /// Where the answer came from: the request's URL, or the one that the last redirect led to.
    public internal(set) var url: URL? {
        get { contents.url }
        set { change { $0.url = newValue } }
    }
    /// The method of the request that was answered.
    public internal(set) var method: HTTPMethod? {
        get { contents.method }
        set { change { $0.method = newValue } }
    }
    /// How often the request was sent for this answer, redirects not counted; 1 when the first answer was it,
    /// 0 when a cache answered without sending it.
    public internal(set) var attempts: Int {
        get { contents.attempts }
        set { change { $0.attempts = newValue } }
    }
    /// Who answered: the network, or a cache, which says whether it asked the server first.
    public var source: ResponseSource {
        get { contents.source }
        set { change { $0.source = newValue } }
    }
    /// What an error that comes of this answer is to say besides.
    var note: String? {
        get { contents.note }
        set { change { $0.note = newValue } }
    }
    /// Where the time went, as far as the transport tells; nil for a stub.
    public var metrics: TransferMetrics? {
        get { contents.metrics }
        set { change { $0.metrics = newValue } }
    }

    /// The body, where it is read as it comes; ``data`` is then what of it was looked at beforehand, mostly nothing.
    var stream: ResponseBody? {
        get { contents.stream }
        set { change { $0.stream = newValue } }
    }
    /// Whether there is a body, or one is to come.
    var hasBody: Bool {
        guard stream != nil else { return !data.isEmpty }
        return method != .head && ![204, 205, 304].contains(statusCode) && headers["Content-Length"] != "0"
    }

    /// An answer goes through many hands, so it is one reference to what never changes.
    private final class Box: Sendable {
        let contents: Contents

        init(_ contents: consuming Contents) {
            self.contents = contents
        }
    }

    private struct Contents {
        var statusCode: Int
        var headers: HTTPHeaders
        var data: Data
        var url: URL?
        var method: HTTPMethod?
        var attempts = 1
        var source = ResponseSource.network
        var note: String?
        var metrics: TransferMetrics?
        var stream: ResponseBody?
    }

    private var box: Box

    private var contents: Contents { box.contents }

    private mutating func change(_ change: (inout Contents) -> Void) {
        var contents = box.contents
        change(&contents)
        box = Box(contents)
    }

    /// An answer, as a transport gives it.
    ///
    /// - Parameters:
    ///   - statusCode: The status code, 200 to 599.
    ///   - headers: The header fields; repeated ones kept apart where the transport can.
    ///   - data: The body, with its content coding undone.
    ///   - url: Where the answer came from; nil means where the request was sent.
    public init(statusCode: Int, headers: HTTPHeaders = [:], data: Data = Data(), url: URL? = nil) {
        box = Box(Contents(statusCode: statusCode, headers: headers, data: data, url: url))
    }

    /// An answer with all that a transport can tell.
    init(
        statusCode: Int, headers: HTTPHeaders, data: Data, url: URL?, method: HTTPMethod?, metrics: TransferMetrics?
    ) {
        box = Box(
            Contents(
                statusCode: statusCode, headers: headers, data: data, url: url, method: method, metrics: metrics))
    }

    /// This answer as that of a request, which the transport may not have named.
    func answering(_ request: URLRequest, attempts: Int) -> DataResponse {
        guard method == nil || url == nil || attempts != self.attempts else { return self }
        var response = self
        response.change { contents in
            contents.method = contents.method ?? request.httpMethod.map(HTTPMethod.init(rawValue:))
            contents.url = contents.url ?? request.url
            contents.attempts = attempts
        }
        return response
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
