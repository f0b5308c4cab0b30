extension MultipartForm.Part {
    /// The options of a `curl` command that send this part.
    ///
    /// - Parameter isRevealed: Whether the content and the names of files are shown; the name of the part always is.
    func curlWords(isRevealed: Bool) -> [String] {
        switch content {
        case .text(let text):
            // Unlike `-F`, it reads no file for a leading @ or <.
            return ["--form-string", "\(name)=\(isRevealed ? text : "***")".shellQuoted]
        case .data(let data):
            let text = String(data: data, encoding: .utf8).flatMap { $0.utf8.contains(0) ? nil : $0 }
            return formWords(isRevealed ? text?.curlQuoted ?? "@-" : "***", isRevealed)
        case .file(let file):
            return formWords("@" + (isRevealed ? file.path.curlQuoted : "***"), isRevealed)
        case .stream:
            return formWords("@-", isRevealed)
        }
    }

    private func formWords(_ value: String, _ isRevealed: Bool) -> [String] {
        var word = "\(name)=\(value)"
        if let type { word += ";type=\(type)" }
        if let fileName { word += ";filename=\(isRevealed ? fileName.curlQuoted : "***")" }
        return ["-F", word.shellQuoted]
    }
}

extension String {
    /// This text in the quotes of curl's `-F`, so that a comma, a semicolon or a leading @ in it is text.
    fileprivate var curlQuoted: String {
        let escaped = replacingOccurrences(of: #"\"#, with: #"\\"#).replacingOccurrences(of: "\"", with: #"\""#)
        return "\"\(escaped)\""
    }
}
