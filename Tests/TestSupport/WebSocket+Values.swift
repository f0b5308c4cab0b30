package import Errand

extension WebSocket {
    /// Returns all messages until the end.
    package func elements() async throws -> [Element] {
        var elements: [Element] = []
        for try await element in self { elements.append(element) }
        return elements
    }

    /// The next value.
    package func nextValue() async throws -> Incoming? {
        var iterator = makeAsyncIterator()
        return try await iterator.next()?.get()
    }
}
