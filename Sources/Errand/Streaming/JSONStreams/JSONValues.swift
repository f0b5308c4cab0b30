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
