/// The way in which a stream separates its JSON texts.
public enum JSONFraming: Hashable, Sendable {
    /// One text per line, `application/x-ndjson`, also called JSON Lines.
    ///
    /// A line ends with LF; a CR before it is white space. Blank lines are skipped. The last line may lack its LF.
    case newlineDelimited
    /// A JSON text sequence, `application/json-seq` (RFC 7464): a record separator, U+001E, before each text and an LF
    /// after it.
    ///
    /// A text may contain line breaks. After a truncated text, the next one begins at the next record separator. A
    /// number, `true`, `false` or `null` without white space after it may be truncated, and is an error (section 2.4).
    case textSequence
    /// One JSON array, `application/json`, whose elements are the values. The array is not kept in memory, only one
    /// element and one piece of the body.
    ///
    /// A body that ends before the array does, or that continues after the array, ends with an error after the complete
    /// elements.
    case array
}

extension AsyncSequence where Element == Data {
    /// Returns the decoded values of a stream of JSON texts, each as soon as its text is complete. The first text that
    /// cannot be decoded ends the sequence.
    ///
    /// ```swift
    /// for try await reading in request.sendStream().values(of: Reading.self) { print(reading) }
    /// ```
    ///
    /// A text that cannot be decoded fails with ``ErrandError/Code-swift.struct/decodingFailed``. The reason gives the
    /// number of the text and the problem, and ``ErrandError/bodyPrefix`` contains its first bytes. A text that is too
    /// long fails with `elementTooLarge`. To continue after such a text, use
    /// ``results(of:framing:decoder:maximumLength:)``. Cancelling the task that reads, or leaving the loop, ends the
    /// transfer.
    ///
    /// - Parameters:
    ///   - type: The type of the values.
    ///   - framing: The way in which the stream separates the texts; by default, one text per line.
    ///   - decoder: The decoder; `nil`, the default, uses that of the API that sent the request, or a
    ///     ``/ErrandJSON/FastJSONDecoder``.
    ///   - maximumLength: The maximum length of a text in bytes; 16 MiB by default. It also bounds the buffer for an
    ///     incomplete text. A negative value counts as zero.
    public func values<Value: Decodable & SendableMetatype>(
        of type: Value.Type, framing: JSONFraming = .newlineDelimited, decoder: (any DataDecoder)? = nil,
        maximumLength: Int = 16 << 20
    ) -> JSONValues<Self, Value> {
        JSONValues(
            results: results(of: type, framing: framing, decoder: decoder, maximumLength: maximumLength))
    }
}

/// The decoded values of a stream of JSON texts. `values(of:framing:decoder:maximumLength:)` returns it.
public struct JSONValues<Base: AsyncSequence, Value: Decodable & SendableMetatype>: AsyncSequence
where Base.Element == Data {
    /// A value.
    public typealias Element = Value

    let results: JSONResults<Base, Value>

    /// Creates an iterator over the values.
    public func makeAsyncIterator() -> AsyncIterator {
        AsyncIterator(results: results.makeAsyncIterator())
    }

    /// An iterator over the values. Only one task at a time may use it.
    public struct AsyncIterator: AsyncIteratorProtocol {
        /// The iterator over the results; `nil` after an error. Releasing it ends the transfer.
        fileprivate var results: JSONResults<Base, Value>.AsyncIterator?

        fileprivate init(results: JSONResults<Base, Value>.AsyncIterator) {
            self.results = results
        }

        /// Returns the next value; `nil` after the last one, and always after an error.
        ///
        /// - Throws: The errors of the body; ``ErrandError`` with `decodingFailed`, `elementTooLarge` or `cancelled`.
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
