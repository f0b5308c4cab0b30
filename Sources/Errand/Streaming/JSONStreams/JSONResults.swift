extension AsyncSequence where Element == Data {
    /// Returns the decoded values of a stream of JSON texts, each as soon as its text is complete. Each text that
    /// cannot be decoded produces an error.
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
    /// Unlike ``values(of:framing:decoder:maximumLength:)``, it continues after an invalid text: one that cannot be
    /// decoded (`decodingFailed`) or is too long (`elementTooLarge`). Errors of the transport are thrown.
    ///
    /// - Parameters: As for ``values(of:framing:decoder:maximumLength:)``.
    public func results<Value: Decodable & SendableMetatype>(
        of type: Value.Type, framing: JSONFraming = .newlineDelimited, decoder: (any DataDecoder)? = nil,
        maximumLength: Int = 16 << 20
    ) -> JSONResults<Self, Value> {
        JSONResults(base: self, framing: framing, decoder: decoder, maximumLength: maximumLength)
    }
}

/// The results of decoding a stream of JSON texts. `results(of:framing:decoder:maximumLength:)` returns it.
public struct JSONResults<Base: AsyncSequence, Value: Decodable & SendableMetatype>: AsyncSequence
where Base.Element == Data {
    /// A value, or the error of its text.
    public typealias Element = Result<Value, ErrandError>

    let base: Base
    let framing: JSONFraming
    let decoder: (any DataDecoder)?
    let maximumLength: Int

    /// Creates an iterator over the results.
    public func makeAsyncIterator() -> AsyncIterator {
        let parser = JSONValueParser(Value.self, framing: framing, decoder: decoder, maximumLength: maximumLength)
        return AsyncIterator(values: ParsingIterator(base.makeAsyncIterator(), parser))
    }

    /// An iterator over the results. Only one task at a time may use it.
    public struct AsyncIterator: AsyncIteratorProtocol {
        fileprivate var values: ParsingIterator<Base.AsyncIterator, JSONValueParser<Value>>

        /// Returns the next value or the error of its text; `nil` after the last one, and always after it has thrown.
        ///
        /// - Throws: The errors of the body; ``ErrandError`` with `cancelled`.
        public mutating func next() async throws -> Result<Value, ErrandError>? {
            try await values.next()?.mapError { values.describing($0) }
        }
    }
}

extension JSONResults: Sendable where Base: Sendable {}
