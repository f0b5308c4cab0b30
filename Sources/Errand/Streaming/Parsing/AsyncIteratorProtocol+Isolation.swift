extension AsyncIteratorProtocol {
    /// The next element, asked for in the isolation of whoever asks, so that the iterator need not be sendable.
    mutating func nextElement(isolation: isolated (any Actor)? = #isolation) async throws -> Element? {
        guard #available(macOS 15, iOS 18, tvOS 18, watchOS 11, *) else {
            // Nobody else has it for as long as this call lasts.
            nonisolated(unsafe) var iterator = self
            defer { self = iterator }
            return try await iterator.next()
        }
        return try await next(isolation: isolation)
    }
}
