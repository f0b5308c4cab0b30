extension MultipartForm.Part {
    /// Returns the options of a `curl` command that send this part.
    ///
    /// - Parameter isRevealed: Whether the content and the names of files are shown. The name of the part always is.
    func curlWords(isRevealed: Bool) -> [String] {
        switch content {
        case .text(let text) where headers.isEmpty:
            // Unlike `-F`, it does not interpret a leading @ or < as the name of a file.
            return ["--form-string", "\(name)=\(isRevealed ? text : "***")".shellQuoted]
        case .text(let text):
            return formWords(isRevealed ? text.curlQuoted : "***", isRevealed)
        case .data(let data):
            let text = String(data: data, encoding: .utf8).flatMap { $0.utf8.contains(0) ? nil : $0 }
            return formWords(isRevealed ? text?.curlQuoted ?? "@-" : "***", isRevealed)
        case .file(let file):
            return formWords("@" + (isRevealed ? file.path.curlQuoted : "***"), isRevealed)
        case .value, .stream:
            return formWords("@-", isRevealed)
        }
    }

    private func formWords(_ value: String, _ isRevealed: Bool) -> [String] {
        var word = "\(name)=\(value)"
        if let type, headers["Content-Type"] == nil { word += ";type=\(type)" }
        for field in headers { word += ";headers=\(isRevealed ? "\(field.name): \(field.value)".curlQuoted : "***")" }
        if let fileName { word += ";filename=\(isRevealed ? fileName.curlQuoted : "***")" }
        return ["-F", word.shellQuoted]
    }
}

extension String {
    /// This text in quotes for curl's `-F`, so that a comma, a semicolon or a leading @ is plain text.
    fileprivate var curlQuoted: String { "\"\(escapedForQuotes)\"" }
}
