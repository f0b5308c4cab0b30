extension DeclarativeRequest where ValidationResult == Void {
    /// Does nothing.
    public func validate() async throws {}
}

extension DeclarativeRequest
where PreparedRequest == URLRequest, PreparationResult == Void, CopiedRequest == NoSetting {
    /// Does nothing.
    public func prepare(_ request: inout URLRequest) async throws {}
}

extension DeclarativeRequest where Output == Void, DecodedBody == DataResponse {
    /// Accepts any body, and returns nothing.
    public func decode(_ response: DataResponse) throws {}
}

extension DeclarativeRequest where Output == Data, DecodedBody == DataResponse {
    /// Returns the body unchanged.
    public func decode(_ response: DataResponse) throws -> Data { response.data }
}

extension DeclarativeRequest where Output == String, DecodedBody == DataResponse {
    /// Returns the body as text, decoded with the charset of the response; see ``DataResponse/text()``.
    public func decode(_ response: DataResponse) throws -> String { try response.text() }
}

extension DeclarativeRequest where Output: Decodable & SendableMetatype, DecodedBody == DataResponse {
    /// Decodes the body with the decoder of the request or the service.
    public func decode(_ response: DataResponse) throws -> Output { try response.decode(Output.self) }
}
