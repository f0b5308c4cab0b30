/// The rules for what a ``LoggingInterceptor`` shows of data that could be secret; by default, very little.
///
/// ```swift
/// var disclosure = LogDisclosure()
/// disclosure.queryNames = ["page"]
/// disclosure.showsBodies = true
/// disclosure.hiddenKeys.insert("iban")
/// ```
///
/// User info in a URL is never shown.
public struct LogDisclosure: Sendable {
    /// A kind of data that could be secret.
    public enum Item: Hashable, Sendable {
        /// The value of a header field of a request or response.
        case header(name: String)
        /// The value of a query item. The name has no percent-encoding.
        case query(name: String)
        /// The body of a request or response, by its media type, such as `application/json`.
        case body(mediaType: String)
    }

    /// The names, in any case, of the header fields whose values are shown. The default contains only harmless ones,
    /// such as `Content-Type`, `Accept` and `Cache-Control`.
    public var headerNames = LogDisclosure.defaultHeaderNames
    /// The names of the query items whose values are shown, without percent-encoding; none by default.
    public var queryNames: Set<String> = []
    /// Whether JSON and forms are shown, at level `trace` and in a `curl` command, without the values of
    /// ``hiddenKeys``; `false` by default. Text of another type is shown only if ``allows`` returns `true`, and then
    /// with its secrets. The body of a stream is never shown.
    public var showsBodies = false
    /// The maximum number of bytes that are shown of a body; 2,048 by default. The value is limited to 0 to 1,048,576
    /// (1 MiB).
    public var bodyLimit = 2048
    /// The names of secrets, whose values are hidden in JSON, including objects and arrays, and in forms.
    ///
    /// A name is compared as a whole, in any case and without `_`, `-` and a leading `X-`: `access_token` also hides
    /// `accessToken`, but not `access_token_type`. Forms also hide `key`, `sig`, `auth`, `sid`, `pass`, `assertion` and
    /// `code`. A secret under another name, or within a text, is shown: add the names of your API.
    public var hiddenKeys = LogDisclosure.defaultHiddenKeys
    /// Whether the entry of each request has a `curl` command; `false` by default. It hides the same values, but always
    /// shows harmless header fields, such as `Accept`.
    public var showsCurlCommand = false
    /// A closure that is called for each header field and body that the other properties hide, and for every query
    /// item. If it returns `true`, the value is shown, but JSON and forms without the values of ``hiddenKeys``. It runs
    /// on the thread of the event, and must be fast.
    public var allows: @Sendable (Item, TransportRequest) -> Bool = { _, _ in false }

    /// Creates the default rules, which show only harmless values.
    public init() {}

    /// The header fields that are shown by default.
    public static let defaultHeaderNames: Set<String> = [
        "Accept", "Accept-Charset", "Accept-Encoding", "Accept-Language", "Accept-Ranges", "Age", "Cache-Control",
        "Connection", "Content-Encoding", "Content-Language", "Content-Length", "Content-Range", "Content-Type", "Date",
        "Expires", "Last-Modified", "Retry-After", "Server", "Transfer-Encoding", "User-Agent", "Vary", "X-Request-ID",
    ]

    /// The names that are hidden by default, in logs and in the cassettes of ErrandTesting.
    public static let defaultHiddenKeys = SecretNames.defaultNames
}

extension LogDisclosure {
    /// Returns the URL with hidden values replaced.
    func url(_ url: URL, of request: TransportRequest) -> String {
        url.redacted(revealingQuery: shownQueryNames(of: url, request)).absoluteString.onOneLogLine
    }

    /// Returns the header fields with hidden values replaced.
    func headers(_ headers: some Sequence<HeaderFields.Field>, of request: TransportRequest) -> HeaderFields {
        let shownNames = Set(headerNames.map { $0.lowercased() })
        return HeaderFields(
            headers.map { field in
                let isShown = isShown(field.name, in: shownNames, request)
                return HeaderFields.Field(field.name.onOneLogLine, isShown ? field.value.onOneLogLine : "***")
            })
    }

    /// Returns the body with hidden values replaced; `nil` if it is not shown.
    func body(_ data: Data?, contentType: String?, of request: TransportRequest) -> String? {
        guard let data, !data.isEmpty, let type = contentType.flatMap({ ContentType(lenient: $0) }),
            showsBodies && (type.isJSON || type.isForm) || allows(.body(mediaType: type.essence), request)
        else { return nil }
        let limit = min(max(bodyLimit, 0), 1 << 20)
        return LogBody(data: data, type: type, names: SecretNames(hiddenKeys)).text(limit: limit)?.onOneLogLine
    }

    /// Returns the request as a `curl` command with hidden values replaced.
    func curlCommand(of request: TransportRequest) -> String? {
        guard showsCurlCommand, let url = request.urlRequest.url else { return nil }
        var urlRequest = request.urlRequestWithBody
        let contentType = urlRequest.value(forHTTPHeaderField: "Content-Type")
        let text = body(urlRequest.httpBody, contentType: contentType, of: request)
        if let text { urlRequest.httpBody = Data(text.utf8) }
        let names = (urlRequest.allHTTPHeaderFields ?? [:]).keys
        let shownNames = Set(headerNames.map { $0.lowercased() })
        return urlRequest.curlCommand(
            revealingQuery: shownQueryNames(of: url, request),
            headers: Set(names.filter { isShown($0, in: shownNames, request) }), body: text != nil
        ).onOneLogLine
    }

    private func isShown(_ name: String, in shownNames: Set<String>, _ request: TransportRequest) -> Bool {
        shownNames.contains(name.lowercased()) || allows(.header(name: name), request)
    }

    /// Returns the names of the query items that may be shown.
    private func shownQueryNames(of url: URL, _ request: TransportRequest) -> Set<String> {
        guard let query = url.query(percentEncoded: true) else { return [] }
        let names = query.split(separator: "&").map { item in
            let name = item.prefix { $0 != "=" }
            return name.removingPercentEncoding ?? String(name)
        }
        return queryNames.union(names.filter { allows(.query(name: $0), request) })
    }
}

/// A body for a log: cut to a limit, and with its secrets redacted.
struct LogBody {
    let data: Data
    let type: ContentType
    let names: SecretNames

    /// Returns at most `limit` bytes of the redacted text, followed by the size of the body if it was cut; `nil` if it
    /// is not UTF-8. A body that is neither JSON nor a form is not redacted.
    func text(limit: Int) -> String? {
        // Redaction shortens a text, so more than `limit` bytes are read, but not the whole body. If that is not enough
        // for `limit` bytes, less text is shown. Up to 3 bytes may be an incomplete character, so with a limit of 0,
        // 4 bytes are needed to recognize text.
        let read = data.prefix(4 * limit + 4)
        var shown: (bytes: [UInt8], isWhole: Bool)
        if type.isJSON {
            var redaction = JSONRedaction(Array(read), names)
            shown = redaction.redacted()
        } else {
            guard let text = String(cutting: read, isWhole: read.count == data.count) else { return nil }
            shown = (Array((type.isForm ? names.redacted(form: text) : text).utf8), true)
        }
        let isWhole = shown.isWhole && read.count == data.count && shown.bytes.count <= limit
        guard let text = String(cutting: shown.bytes.prefix(limit), isWhole: shown.bytes.count <= limit) else {
            return nil
        }
        return isWhole ? text : "\(text)... (\(data.count) bytes)"
    }
}

extension String {
    /// Decodes UTF-8. If the bytes were cut from a longer text, drops an incomplete character at the end.
    init?(cutting bytes: some Collection<UInt8>, isWhole: Bool) {
        for dropped in 0...(isWhole ? 0 : 3) {
            guard let text = String(validating: bytes.dropLast(dropped), as: UTF8.self) else { continue }
            self = text
            return
        }
        return nil
    }
}

extension ContentType {
    package var isJSON: Bool { subtype == "json" || subtype.hasSuffix("+json") || subtype.hasSuffix("ndjson") }
    package var isForm: Bool { type == "application" && subtype == "x-www-form-urlencoded" }
}
