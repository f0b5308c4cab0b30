extension Pipeline where Output == DataResponse {
    /// Takes the body for text, by the charset that its `Content-Type` names; for UTF-8 where it names none.
    ///
    /// ```swift
    /// sendRequest().decodeText()
    /// ```
    ///
    /// Unlike `decode(String.self)`, which takes it for JSON: a string in quotes. Fails with
    /// ``ErrandError/Code-swift.struct/decodingFailed`` as ``DataResponse/text()`` does.
    public func decodeText() -> Pipeline<String, any Error> {
        decoding { try $0.text() }
    }
}
