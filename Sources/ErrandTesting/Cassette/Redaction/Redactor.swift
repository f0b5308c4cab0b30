import Errand

/// Removes the secrets from requests and responses.
struct Redactor: Sendable {
    private let redaction: Cassette.Redaction
    private let fieldNames: Set<String>
    private let names: SecretNames
    /// The query items that interceptors after the recorder and redirects added to the request, as in its URL.
    private var addedItems: Set<Substring> = []

    /// - Parameter credentials: Additional names of header fields and query items that hold credentials.
    init(_ redaction: Cassette.Redaction, credentials: CredentialNames = CredentialNames()) {
        self.redaction = redaction
        fieldNames = Set(redaction.hiddenFields.union(credentials.fields).map { $0.lowercased() })
        names = SecretNames(redaction.hiddenKeys, items: redaction.hiddenItems.union(credentials.queryItems))
    }

    private var bodies: BodyRedaction { BodyRedaction(names: names) }

    /// Returns the request without secrets.
    func redacted(_ request: HAR.Request) -> HAR.Request {
        let body = request.postData.map { redacted($0) }
        var kept = HAR.Request(
            method: request.method, url: url(request.url), headers: headers(request.headers), postData: body,
            bodySize: request.bodySize)
        kept.httpVersion = request.httpVersion
        kept.comment = request.comment
        redaction.request?(&kept)
        return kept
    }

    /// Returns the response without secrets.
    ///
    /// Interceptors after the recorder and redirects may have added secrets under any name to its URL. So the query
    /// items of that URL that the request does not show are hidden, wherever a URL of the response has them.
    ///
    /// - Parameter request: The request without secrets.
    func redacted(_ response: HAR.Response, to request: HAR.Request) -> HAR.Response {
        let url = response.url.map { $0.unicodeScalars.prefix { $0 != "#" } }.map {
            String(String.UnicodeScalarView($0))
        }
        var redactor = self
        redactor.addedItems = Set(url?.parts.items ?? []).subtracting(request.url.parts.items)
        return redactor.redacted(response)
    }

    /// Returns the response without secrets.
    func redacted(_ response: HAR.Response) -> HAR.Response {
        var kept = response
        let body = response.content.data ?? Data()
        let shown = bodies.redacted(body, mimeType: response.content.mimeType)
        kept.headers = headers(response.headers)
        kept.redirectURL = reference(response.redirectURL)
        kept.url = response.url.map { url($0) }
        if shown != body {
            kept.content = HAR.Content(shown, mimeType: response.content.mimeType)
            kept.content.compression = response.content.compression
            kept.content.comment = response.content.comment
            kept.content.cut = response.content.cut
            if response.content.cut != nil { kept.content.size = response.content.size }
            kept.headers = Self.headers(kept.headers, ofChangedBody: shown.count)
        }
        redaction.response?(&kept)
        return kept
    }

    private func redacted(_ body: HAR.PostData) -> HAR.PostData {
        guard let data = body.data else { return body }
        var kept = HAR.PostData(bodies.redacted(data, mimeType: body.mimeType), mimeType: body.mimeType)
        kept.comment = body.comment
        return kept
    }

    private func headers(_ headers: [HAR.Pair]) -> [HAR.Pair] {
        headers.map { field in
            let name = field.name.lowercased()
            if fieldNames.contains(name) || names.contains(field.name) {
                return HAR.Pair(field.name, Cassette.Redaction.placeholder)
            }
            let isURL = Self.urlFields.contains(name)
            return HAR.Pair(field.name, isURL ? reference(field.value) : urls(in: field.value))
        }
    }

    /// The header fields whose value is one URL, which may be relative.
    private static let urlFields: Set<String> = ["location", "content-location", "referer", "origin", "sourcemap"]

    /// Returns the URL without user info and fragment, with each query item redacted.
    private func url(_ url: String) -> String {
        URL(lenient: url)?.redacted { query($0) }.absoluteString ?? reference(url)
    }

    /// Returns a URL that may be relative, such as that of a `Location` field, without user info and fragment, and with
    /// each query item redacted.
    private func reference(_ url: String) -> String {
        urls(in: String(String.UnicodeScalarView(url.unicodeScalars.prefix { $0 != "#" })))
    }

    /// Returns a text, such as that of a `Link` or `Refresh` field, whose URLs have no user info, no fragments and no
    /// secret query items.
    private func urls(in text: String) -> String {
        text.replacing(Self.userInfo, with: "://")
            .replacing(Self.fragment) { String($0.1) }
            .replacing(Self.fragmentInBrackets) { String($0.1) }
            .replacing(Self.fragmentOfParameter) { String($0.1) }
            .replacing(Self.query) { "?\(query(String($0.1)))" }
    }

    /// Returns a query with the values of secret names, and those of the added items, replaced.
    private func query(_ text: String) -> String {
        let items = text.split(separator: "&", omittingEmptySubsequences: false).map { item in
            guard addedItems.contains(item) else { return String(item) }
            let name = item.firstIndex(of: "=").map { item[...$0] } ?? ""
            return name + Cassette.Redaction.placeholder
        }
        return names.redacted(form: items.joined(separator: "&"))
    }

    // By scalars: a delimiter and a combining mark after it form one `Character`.
    private static var userInfo: Regex<Substring> { #/:\/\/[^\/?#\s"'<>]*@/#.matchingSemantics(.unicodeScalar) }
    private static var fragment: Regex<(Substring, Substring)> {
        #/(:\/\/[^#\s"'<>]*)#[^\s"'<>]*/#.matchingSemantics(.unicodeScalar)
    }
    /// The fragment of a relative reference in a list, such as `</next#part>`.
    private static var fragmentInBrackets: Regex<(Substring, Substring)> {
        #/(<[^<>#\s]*)#[^<>]*(?=>)/#.matchingSemantics(.unicodeScalar)
    }
    /// The fragment of a relative reference after `url=`, as in a `Refresh` field.
    private static var fragmentOfParameter: Regex<(Substring, Substring)> {
        #/((?:url|URL|Url)\s*=\s*["']?[^#\s"'<>]*)#[^\s"'<>]*/#.matchingSemantics(.unicodeScalar)
    }
    private static var query: Regex<(Substring, Substring)> {
        #/\?([^#\s"'<>]*)/#.matchingSemantics(.unicodeScalar)
    }

    /// Corrects the header fields of a response whose body was changed: updates `Content-Length`, and removes digests.
    private static func headers(_ headers: [HAR.Pair], ofChangedBody count: Int) -> [HAR.Pair] {
        let isCoded = headers.contains { $0.name.lowercased() == "content-encoding" }
        let digests: Set<String> = ["content-digest", "repr-digest", "digest", "content-md5"]
        return headers.compactMap { field in
            let name = field.name.lowercased()
            if digests.contains(name) { return nil }
            return name == "content-length" && !isCoded ? HAR.Pair(field.name, "\(count)") : field
        }
    }
}
