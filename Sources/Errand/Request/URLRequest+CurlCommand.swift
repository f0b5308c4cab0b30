extension URLRequest {
    /// Returns this request as a `curl` command for a POSIX shell, to try it manually or to show it in a bug report.
    ///
    /// ```swift
    /// print(try request.buildURLRequest().curlCommand(revealingQuery: ["page"]))
    /// // curl -H 'Accept: application/json' -H 'Authorization: ***' 'https://api.example.com/users?key=***&page=2'
    /// ```
    ///
    /// Values that may be secret are replaced by `***`, unless you name them. These are query values, most header
    /// values, the body, and the names of files in it. Header fields that only describe the body or the accepted
    /// responses are shown, and so are `Cache-Control` and `User-Agent`. User info is never shown.
    ///
    /// The command sends the content of the request. It removes the `Content-Type` that curl would add if the request
    /// has none. A file is sent with `--data-binary @path`. A form that contains files or streams is sent with `-F`,
    /// for which curl creates its own boundary.
    ///
    /// The command reads a stream in a form from its standard input, and, if the body is shown, also any other streamed
    /// body, a part of a file, and binary data. If the body shown contains line breaks, the command contains them too.
    ///
    /// - Parameters:
    ///   - queryNames: The names, without escapes, of the query items whose values are shown.
    ///   - headerNames: The names, in any case, of the header fields whose values are shown.
    ///   - body: Whether the body is shown.
    public func curlCommand(
        revealingQuery queryNames: Set<String> = [], headers headerNames: Set<String> = [], body: Bool = false
    ) -> String {
        let words = ["curl"] + methodWords + headerWords(revealing: headerNames) + bodyWords(isRevealed: body)
        return (words + urlWords(revealing: queryNames)).joined(separator: " ")
    }

    private var hasBody: Bool { httpBody != nil || httpBodyStream != nil }

    /// The words of the command that set the method.
    private var methodWords: [String] {
        switch httpMethod ?? "GET" {
        case "GET" where !hasBody: []
        // With `-X HEAD`, curl waits for a response body. But it allows no request body with `--head`.
        case "HEAD" where !hasBody: ["--head"]
        case let method: ["-X", method.shellQuoted]
        }
    }

    private func headerWords(revealing names: Set<String>) -> [String] {
        let revealed = Set(names.map { $0.lowercased() })
        let fields = (allHTTPHeaderFields ?? [:]).filter { !isReplacedByCurl($0.key) }.sorted { $0.key < $1.key }
        var words = fields.map { name, value in
            let isShown = name.isHarmlessFieldName || revealed.contains(name.lowercased())
            // In curl, `Name:` omits the field, and `Name;` sends it empty.
            return value.isEmpty ? "\(name);" : "\(name): \(isShown ? value : "***")"
        }
        if hasBody, value(forHTTPHeaderField: "Content-Type") == nil { words.append("Content-Type:") }
        return words.flatMap { ["-H", $0.shellQuoted] }
    }

    /// Returns `true` if curl writes a field itself: the body's fields of a form, whose boundary curl chooses.
    private func isReplacedByCurl(_ name: String) -> Bool {
        guard case .form = bodyStream?.origin else { return false }
        return ["content-type", "content-length"].contains(name.lowercased())
    }

    private func bodyWords(isRevealed: Bool) -> [String] {
        guard hasBody else { return [] }
        switch bodyStream?.origin {
        case .file(let file): return ["--data-binary", "@\(isRevealed ? file.path : "***")".shellQuoted]
        case .form(let form): return form.parts.flatMap { $0.curlWords(isRevealed: isRevealed) }
        case .deferred, .other, nil: break
        }
        guard isRevealed else { return ["--data-raw", "***".shellQuoted] }
        guard let text = httpBody.flatMap({ String(validating: $0, as: UTF8.self) }), !text.utf8.contains(0) else {
            return ["--data-binary", "@-"]
        }
        // Unlike `--data-binary`, it does not interpret a leading @ as the name of a file.
        return ["--data-raw", text.shellQuoted]
    }

    private func urlWords(revealing names: Set<String>) -> [String] {
        guard let url = url?.redacted(revealingQuery: names).absoluteString else { return [] }
        // Without the option, curl reads brackets and braces as a pattern of several URLs.
        let isPattern = url.contains { "[]{}".contains($0) }
        return (isPattern ? ["--globoff"] : []) + [url.shellQuoted]
    }
}

extension String {
    /// This text as one word of a POSIX shell (XCU, section 2.2.2): unchanged if that is safe, otherwise in quotes.
    var shellQuoted: String {
        let isPlain = utf8.allSatisfy { Self.plainCharacters.contains($0) }
        if isPlain && !isEmpty { return self }
        // A literal search is necessary: a quote with a combining mark after it is another `Character`, but also ends
        // the word.
        return "'\(replacingOccurrences(of: "'", with: #"'\''"#, options: .literal))'"
    }

    private static let plainCharacters = Set(
        "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789@%_+:,./-".utf8)

    /// Whether the values of header fields with this name are never secret.
    var isHarmlessFieldName: Bool {
        let name = lowercased()
        return name.hasPrefix("accept-") || Self.harmlessFieldNames.contains(name)
    }

    private static let harmlessFieldNames: Set = [
        "accept", "cache-control", "content-encoding", "content-language", "content-length", "content-type",
        "user-agent",
    ]
}
