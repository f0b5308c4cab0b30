/// What a ``LoggingInterceptor`` may show of what could be secret: next to nothing, unless it is told otherwise.
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
    /// Something that could be secret.
    public enum Item: Hashable, Sendable {
        /// The value of a header field, of a request or of an answer.
        case header(name: String)
        /// The value of a query item, by its name without escapes.
        case query(name: String)
        /// A body of a media type such as `application/json`, of a request or of an answer.
        case body(mediaType: String)
    }

    /// The header fields whose values are shown, in any case; by default those that say only what a body is, what is
    /// accepted, and how long an answer is good.
    public var headerNames = LogDisclosure.defaultHeaderNames
    /// The query items whose values are shown, by their names without escapes; none by default.
    public var queryNames: Set<String> = []
    /// Whether bodies are shown, at level `trace`; not by default. Only text is, and none of a stream.
    ///
    /// The values of ``hiddenKeys`` are hidden.
    public var showsBodies = false
    /// How many bytes of a body are shown; 2048 by default. Less than zero counts as zero.
    public var bodyLimit = 2048
    /// The names of secrets. Their values are hidden in JSON, with the objects and arrays among them, in forms, in other
    /// text, and in query items that are shown.
    ///
    /// A name is hidden if one of these is among its words, in any case and however the words are put together: `token`
    /// also hides `accessToken`, `refresh_tokens` and `token_value`. Names of a property or a count are not hidden, such as
    /// `token_type` and `max_tokens`. Forms and queries also hide `key`, `sig`, `auth`, `sid`, `pass`, `assertion` and `code`.
    ///
    /// A string in JSON, an item of a form or query, or encoded text that contains a secret is hidden as a whole.
    public var hiddenKeys = LogDisclosure.defaultHiddenKeys
    /// Whether each request comes with a `curl` command, which shows and hides the same; not by default.
    public var showsCurlCommand = false
    /// Asked about what is hidden so far: true shows it. Called on the thread that sends; must be quick.
    public var allows: @Sendable (Item, TransportRequest) -> Bool = { _, _ in false }

    /// What is harmless.
    public init() {}

    /// The header fields that are shown unless told otherwise.
    public static let defaultHeaderNames: Set<String> = [
        "Accept", "Accept-Charset", "Accept-Encoding", "Accept-Language", "Accept-Ranges", "Age", "Cache-Control",
        "Connection", "Content-Encoding", "Content-Language", "Content-Length", "Content-Range", "Content-Type", "Date",
        "Expires", "Last-Modified", "Retry-After", "Server", "Transfer-Encoding", "User-Agent", "Vary", "X-Request-ID",
    ]

    /// The names that are hidden by default, in logs and in the cassettes of ErrandTesting.
    public static let defaultHiddenKeys = SecretNames.defaultNames
}

extension LogDisclosure {
    /// The URL, fit to be shown.
    func url(_ url: URL, of request: TransportRequest) -> String {
        url.redacted(revealingQuery: shownQueryNames(of: url, request)).absoluteString.onOneLogLine
    }

    /// The header fields, fit to be shown.
    func headers(_ headers: some Sequence<HeaderFields.Field>, of request: TransportRequest) -> HeaderFields {
        let shown = Set(headerNames.map { $0.lowercased() })
        return HeaderFields(
            headers.map { field in
                let isShown = isShown(field.name, names: shown, request)
                return HeaderFields.Field(field.name.onOneLogLine, isShown ? field.value.onOneLogLine : "***")
            })
    }

    /// The body, fit to be shown; nil when it is not shown, or is no text.
    func body(_ data: Data?, contentType: String?, of request: TransportRequest) -> String? {
        guard let data, !data.isEmpty, let type = contentType.flatMap({ ContentType(lenient: $0) }), type.isText,
            showsBodies || allows(.body(mediaType: type.essence), request)
        else { return nil }
        let limit = min(max(bodyLimit, 0), 1 << 20)
        return LogBody(data: data, type: type, names: SecretNames(hiddenKeys)).text(limit: limit)?.onOneLogLine
    }

    /// The request as a command, fit to be shown.
    func curlCommand(of request: TransportRequest) -> String? {
        guard showsCurlCommand, let url = request.urlRequest.url else { return nil }
        var shown = request.urlRequest
        if let stream = request.bodyStream { shown.bodyStream = stream }
        let text = body(shown.httpBody, contentType: shown.value(forHTTPHeaderField: "Content-Type"), of: request)
        if let text { shown.httpBody = Data(text.utf8) }
        let names = (shown.allHTTPHeaderFields ?? [:]).keys
        let allowed = Set(headerNames.map { $0.lowercased() })
        return shown.curlCommand(
            revealingQuery: shownQueryNames(of: url, request),
            headers: Set(names.filter { isShown($0, names: allowed, request) }), body: text != nil
        ).onOneLogLine
    }

    private func isShown(_ name: String, names: Set<String>, _ request: TransportRequest) -> Bool {
        names.contains(name.lowercased()) || allows(.header(name: name), request)
    }

    /// The names that may be shown and whose values in this URL hold no other secret, such as a URL with a token.
    private func shownQueryNames(of url: URL, _ request: TransportRequest) -> Set<String> {
        guard let query = url.query(percentEncoded: true) else { return [] }
        let values = Dictionary(
            query.split(separator: "&").map { item in
                let name = item.prefix { $0 != "=" }
                return (name.removingPercentEncoding ?? String(name), [item.dropFirst(name.count)])
            }, uniquingKeysWith: +)
        let shown = queryNames.union(values.keys.filter { allows(.query(name: $0), request) })
        guard !shown.isEmpty else { return [] }
        let redaction = TextRedaction(SecretNames(hiddenKeys))
        return shown.filter { name in
            !(values[name] ?? []).contains { redaction.findsSecret(in: $0.utf8) }
        }
    }
}
