/// A stream from a service that fails with the service's own errors.
///
/// ```swift
/// for try await event in NewsRequest().startStream(with: staging) { print(event) }
/// ```
public struct ServiceStream<Base: AsyncSequence, Failure: Error>: AsyncSequence {
    /// The underlying stream, which provides its own properties and methods. It does not fail with the service's own
    /// errors.
    public let base: Base
    private let mapError: @Sendable (any Error) -> Failure

    init(_ base: Base, mapError: @escaping @Sendable (any Error) -> Failure) {
        self.base = base
        self.mapError = mapError
    }

    /// Creates an iterator over the elements.
    public func makeAsyncIterator() -> AsyncIterator {
        AsyncIterator(base: base.makeAsyncIterator(), mapError: mapError)
    }

    /// An iterator over the elements.
    public struct AsyncIterator: AsyncIteratorProtocol {
        fileprivate var base: Base.AsyncIterator
        fileprivate let mapError: @Sendable (any Error) -> Failure

        /// Returns the next element, or `nil` at the end.
        ///
        /// - Throws: The service's own error for the failure of the stream.
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

extension ServiceStream.AsyncIterator: ResponseReading {
    var response: DataResponse? { (base as? any ResponseReading)?.response }
}

extension ServiceStream: Sendable where Base: Sendable {}
