import ErrandWebSocket

extension WebSocket {
    /// Returns all messages until the end.
    func elements() async throws -> [Element] {
        var elements: [Element] = []
        for try await element in self { elements.append(element) }
        return elements
    }

    /// The next value.
    func nextValue() async throws -> Incoming? {
        var iterator = makeAsyncIterator()
        return try await iterator.next()?.get()
    }
}
