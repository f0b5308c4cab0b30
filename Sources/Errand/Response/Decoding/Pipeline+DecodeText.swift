extension Pipeline where Output == DataResponse {
    /// Decodes the body as text, with the charset of its `Content-Type`, or UTF-8 if it names none.
    ///
    /// ```swift
    /// sendRequest().decodeText()
    /// ```
    ///
    /// In contrast, `decode(String.self)` decodes a JSON string in quotes. Fails with
    /// ``ErrandError/Code-swift.struct/decodingFailed`` as ``DataResponse/text()`` does.
    public func decodeText() -> Pipeline<String, any Error> {
        decoding { try $0.text() }
    }
}
