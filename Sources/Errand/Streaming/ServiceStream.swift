/// A stream from a service, whose failures are the service's own errors.
///
/// ```swift
/// for try await event in NewsRequest().startStream(with: staging) { print(event) }
/// ```
public struct ServiceStream<Base: AsyncSequence, Failure: Error>: AsyncSequence {
    /// The stream itself, for what it has besides its elements; its failures are not the service's own.
    public let base: Base
    private let mapError: @Sendable (any Error) -> Failure

    init(_ base: Base, mapError: @escaping @Sendable (any Error) -> Failure) {
        self.base = base
        self.mapError = mapError
    }

    /// Starts to read.
    public func makeAsyncIterator() -> AsyncIterator {
        AsyncIterator(base: base.makeAsyncIterator(), mapError: mapError)
    }

    /// Gives the elements.
    public struct AsyncIterator: AsyncIteratorProtocol {
        fileprivate var base: Base.AsyncIterator
        fileprivate let mapError: @Sendable (any Error) -> Failure

        /// Returns the next element, or `nil` at the end.
        ///
        /// - Throws: What the service makes of the stream's failure.
        public mutating func next(isolation actor: isolated (any Actor)?) async throws(Failure) -> Base.Element? {
            do {
                return try await base.next(isolation: actor)
            } catch {
                throw mapError(error)
            }
        }

        /// Returns the next element, as ``next(isolation:)`` does.
        public mutating func next() async throws(Failure) -> Base.Element? {
            try await next(isolation: #isolation)
        }
    }
}

extension ServiceStream.AsyncIterator: AnswerReading {
    var answer: DataResponse? { (base as? any AnswerReading)?.answer }
}

extension ServiceStream: Sendable where Base: Sendable {}
