extension Pipeline where Output == DataResponse {
    /// Accepts any body, including an empty one, and returns no value. Use it if only the success of the request
    /// matters.
    ///
    /// ```swift
    /// sendRequest().validateStatusCode(in: 200..<300).decodeVoid()
    /// ```
    @inlinable
    public func decodeVoid() -> Pipeline<Void, Failure> {
        map { _ in }
    }

    /// Accepts any body and returns no value; the same as ``decodeVoid()``.
    @inlinable
    public func decode(_ type: Void.Type) -> Pipeline<Void, Failure> {
        decodeVoid()
    }
}
