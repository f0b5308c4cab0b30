extension AsyncSequence where Element == Data {
    /// The values of a stream of JSON texts, decoded one by one as they come; the first that cannot be had ends the stream.
    ///
    /// ```swift
    /// for try await reading in request.sendStream().values(of: Reading.self) { print(reading) }
    /// ```
    ///
    /// A text that does not decode fails with ``ErrandError/Code-swift.struct/decodingFailed``, whose reason says which one
    /// it was and what was wrong in it, and which has its first bytes in ``ErrandError/bodyPrefix``; one that is too long
    /// with `elementTooLarge`. To go on behind such a text, use ``results(of:framing:decoder:maximumLength:)``.
    /// Cancelling the task that reads, or leaving the loop, ends the transfer.
    ///
    /// - Parameters:
    ///   - type: What each text is.
    ///   - framing: How they are told apart; a text a line by default.
    ///   - decoder: What decodes each; `nil`, the default, uses that of the API that sent the request, or a
    ///     ``FastJSONDecoder``.
    ///   - maximumLength: The most bytes of a text; 16 MiB by default. It is also how much of an unfinished text is kept.
    ///     Less than zero counts as zero.
    public func values<Value: Decodable & SendableMetatype>(
        of type: Value.Type, framing: JSONFraming = .newlineDelimited, decoder: (any DataDecoder)? = nil,
        maximumLength: Int = 16 << 20
    ) -> JSONValues<Self, Value> {
        JSONValues(
            results: results(of: type, framing: framing, decoder: decoder, maximumLength: maximumLength))
    }
}

/// The values of a stream of JSON texts, as `values(of:framing:decoder:maximumLength:)` gives them.
public struct JSONValues<Base: AsyncSequence, Value: Decodable & SendableMetatype>: AsyncSequence
where Base.Element == Data {
    /// A value.
    public typealias Element = Value

    let results: JSONResults<Base, Value>

    /// Begins to read the body.
    public func makeAsyncIterator() -> AsyncIterator {
        AsyncIterator(results: results.makeAsyncIterator())
    }

    /// Goes from value to value; to be used by one task at a time.
    public struct AsyncIterator: AsyncIteratorProtocol {
        /// Nil behind a value that could not be had: letting go of it ends the transfer.
        fileprivate var results: JSONResults<Base, Value>.AsyncIterator?

        fileprivate init(results: JSONResults<Base, Value>.AsyncIterator) {
            self.results = results
        }

        /// The next value; nil behind the last, and for good after an error.
        ///
        /// - Throws: What the body throws; ``ErrandError`` with `decodingFailed`, `elementTooLarge` or `cancelled`.
        public mutating func next() async throws -> Value? {
            do {
                return try await results?.next()?.get()
            } catch {
                results = nil
                throw error
            }
        }
    }
}

extension JSONValues: Sendable where Base: Sendable {}
