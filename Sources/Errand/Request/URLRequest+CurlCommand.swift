extension URLRequest {
    /// This request as a `curl` command for a POSIX shell, to try it by hand or to show it in a bug report.
    ///
    /// ```swift
    /// print(try request.buildURLRequest().curlCommand(revealingQuery: ["page"]))
    /// // curl -H 'Accept: application/json' -H 'Authorization: ***' 'https://api.example.com/users?key=***&page=2'
    /// ```
    ///
    /// What may be secret is replaced by `***` unless it is asked for by name: query values, the values of all header
    /// fields but those that only describe the body or what is accepted, the body, and the names of files in it. User
    /// info is never shown.
    ///
    /// The command sends what the request holds. It removes the `Content-Type` that curl would add if the request has
    /// none. A file is sent with `--data-binary @path`, and a form that contains files or streams with `-F`, for which
    /// curl makes its own boundary. The command reads any other streamed body, a part of a file, and data that is not
    /// text from its standard input. A revealed body may have line breaks, and then so has the command.
    ///
    /// - Parameters:
    ///   - queryNames: The query items whose values are shown, by their names without escapes.
    ///   - headerNames: The header fields whose values are shown, in any case.
    ///   - body: Whether the body is shown.
    public func curlCommand(
        revealingQuery queryNames: Set<String> = [], headers headerNames: Set<String> = [], body: Bool = false
    ) -> String {
        let words = ["curl"] + methodWords + headerWords(revealing: headerNames) + bodyWords(isRevealed: body)
        return (words + urlWords(revealing: queryNames)).joined(separator: " ")
    }

    private var hasBody: Bool { httpBody != nil || httpBodyStream != nil }

    private var methodWords: [String] {
        switch httpMethod ?? "GET" {
        case "GET" where !hasBody: []
        // Told to `-X HEAD`, curl would wait for a body.
        case "HEAD": ["--head"]
        case let method: ["-X", method.shellQuoted]
        }
    }

    private func headerWords(revealing names: Set<String>) -> [String] {
        let revealed = Set(names.map { $0.lowercased() })
        let fields = (allHTTPHeaderFields ?? [:]).filter { !isReplacedByCurl($0.key) }.sorted { $0.key < $1.key }
        var words = fields.map { name, value in
            let isShown = name.isHarmlessFieldName || revealed.contains(name.lowercased())
            // To curl, `Name:` means to leave the field out, and `Name;` to send it empty.
            return value.isEmpty ? "\(name);" : "\(name): \(isShown ? value : "***")"
        }
        if hasBody, value(forHTTPHeaderField: "Content-Type") == nil { words.append("Content-Type:") }
        return words.flatMap { ["-H", $0.shellQuoted] }
    }

    /// Whether curl writes a field itself: those of a form, with its own boundary.
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
        guard let text = httpBody.flatMap({ String(data: $0, encoding: .utf8) }), !text.utf8.contains(0) else {
            return ["--data-binary", "@-"]
        }
        // Unlike `--data-binary`, it does not take a leading @ for the name of a file.
        return ["--data-raw", text.shellQuoted]
    }

    private func urlWords(revealing names: Set<String>) -> [String] {
        guard let url = url?.redacted(revealingQuery: names).absoluteString else { return [] }
        let isPattern = url.contains { "[]{}".contains($0) }
        return (isPattern ? ["--globoff"] : []) + [url.shellQuoted]
    }
}

extension String {
    /// This text as one word of a POSIX shell (XCU, section 2.2.2): as it is where that is safe, and else in quotes.
    var shellQuoted: String {
        let isPlain = utf8.allSatisfy { Self.plainCharacters.contains($0) }
        if isPlain && !isEmpty { return self }
        // Literally: a quote with a combining mark after it is another `Character`, and ends the word too.
        return "'\(replacingOccurrences(of: "'", with: #"'\''"#, options: .literal))'"
    }

    private static let plainCharacters = Set(
        "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789@%_+:,./-".utf8)

    /// Whether fields of this name say only what a body is, or what is accepted.
    var isHarmlessFieldName: Bool {
        let name = lowercased()
        return name.hasPrefix("accept-") || Self.harmlessFieldNames.contains(name)
    }

    private static let harmlessFieldNames: Set = [
        "accept", "cache-control", "content-encoding", "content-language", "content-length", "content-type",
        "user-agent",
    ]
}
