extension AsyncSequence where Element == Data {
    /// The values of a stream of JSON texts, decoded one by one as they come, with an error in the place of each that
    /// cannot be had.
    ///
    /// ```swift
    /// for try await result in request.sendStream().results(of: Reading.self) {
    ///     switch result {
    ///     case .success(let reading): print(reading)
    ///     case .failure(let error): print(error)
    ///     }
    /// }
    /// ```
    ///
    /// Unlike ``values(of:framing:decoder:maximumLength:)`` it goes on behind a bad text: one that does not decode
    /// (`decodingFailed`) or is too long (`elementTooLarge`). What the transport fails with is thrown.
    ///
    /// - Parameters: As for ``values(of:framing:decoder:maximumLength:)``.
    public func results<Value: Decodable & SendableMetatype>(
        of type: Value.Type, framing: JSONFraming = .newlineDelimited, decoder: (any DataDecoder)? = nil,
        maximumLength: Int = 16 << 20
    ) -> JSONResults<Self, Value> {
        JSONResults(base: self, framing: framing, decoder: decoder, maximumLength: maximumLength)
    }
}

/// The values of a stream of JSON texts, as `results(of:framing:decoder:maximumLength:)` gives them.
public struct JSONResults<Base: AsyncSequence, Value: Decodable & SendableMetatype>: AsyncSequence
where Base.Element == Data {
    /// A value, or why it is not to be had.
    public typealias Element = Result<Value, ErrandError>

    let base: Base
    let framing: JSONFraming
    let decoder: (any DataDecoder)?
    let maximumLength: Int

    /// Begins to read the body.
    public func makeAsyncIterator() -> AsyncIterator {
        let parser = JSONValueParser(Value.self, framing: framing, decoder: decoder, maximumLength: maximumLength)
        return AsyncIterator(values: ParsingIterator(base.makeAsyncIterator(), parser))
    }

    /// Goes from value to value; to be used by one task at a time.
    public struct AsyncIterator: AsyncIteratorProtocol {
        fileprivate var values: ParsingIterator<Base.AsyncIterator, JSONValueParser<Value>>

        /// The next value, or why it is not to be had; nil behind the last, and for good after it has thrown.
        ///
        /// - Throws: What the body throws; ``ErrandError`` with `cancelled`.
        public mutating func next() async throws -> Result<Value, ErrandError>? {
            try await values.next()?.mapError { values.describing($0) }
        }
    }
}

extension JSONResults: Sendable where Base: Sendable {}
