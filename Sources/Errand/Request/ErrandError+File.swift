extension ErrandError {
    /// Creates the error of a body whose file cannot be read.
    init(unreadable file: URL, because error: any Error) {
        let code = (error as? CocoaError)?.code
        let isMissing = code == .fileNoSuchFile || code == .fileReadNoSuchFile
        self.init(
            .bodyEncodingFailed, reason: "\(file.quotedPath) \(isMissing ? "does not exist" : "cannot be read")",
            underlyingError: error)
    }
}

extension URL {
    /// The path in quotes, without control characters: `the file "/tmp/photo.jpeg"`.
    var quotedPath: String { "the file \(path.debugDescription)" }
}
