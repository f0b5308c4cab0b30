extension Pipeline where Output == DataResponse {
    /// Takes any body, an empty one too, and gives nothing: what is left of an answer that only has to be a good one.
    ///
    /// ```swift
    /// sendRequest().validateStatusCode(in: 200..<300).decodeVoid()
    /// ```
    @inlinable
    public func decodeVoid() -> Pipeline<Void, Failure> {
        map { _ in }
    }

    /// The same as ``decodeVoid()``: `decode(Void.self)`.
    @inlinable
    public func decode(_ type: Void.Type) -> Pipeline<Void, Failure> {
        decodeVoid()
    }
}
