import Errand
import ErrandTesting

/// Chooses the handler for each request.
final class Router: Sendable {
    private struct Table {
        var routes: [Route] = []
        /// The remaining responses for requests that no route matches.
        var queue: ArraySlice<MockResponse> = []
        /// The total number of responses that were added to the queue.
        var enqueuedCount = 0
        var fallback: MockHandler?
    }

    /// Guards the table, which any thread changes and the server's thread reads.
    private let table = Locked(Table())

    func add(_ route: Route) {
        table.withLock { $0.routes.append(route) }
    }

    func enqueue(_ responses: [MockResponse]) {
        table.withLock { table in
            table.queue += responses
            table.enqueuedCount += responses.count
        }
    }

    func setFallback(_ handler: @escaping MockHandler) {
        let replaced = table.withLock { table in
            defer { table.fallback = handler }
            return table.fallback
        }
        // Released without the lock, because a handler may hold the last reference to any object.
        withExtendedLifetime(replaced) {}
    }

    /// Releases all handlers and the objects that they capture.
    func removeAll() {
        let removed = table.withLock { table in
            defer { table = Table() }
            return table
        }
        withExtendedLifetime(removed) {}
    }

    /// Returns the handler for a request, and the request with its parameters. Uses a response of the queue if no route
    /// matches.
    func route(_ request: MockRequest) -> (request: MockRequest, handler: MockHandler) {
        if let match = match(request) { return match }
        let (response, enqueuedCount, fallback) = table.withLock { table in
            (table.queue.popFirst(), table.enqueuedCount, table.fallback)
        }
        if let response { return (request, { _ in response }) }
        return (request, fallback ?? { request in Self.refusal(of: request, enqueuedCount: enqueuedCount) })
    }

    /// Returns the request with the parameters of its route.
    func named(_ request: MockRequest) -> MockRequest {
        match(request)?.request ?? request
    }

    private func match(_ request: MockRequest) -> (request: MockRequest, handler: MockHandler)? {
        let routes = table.withLock { $0.routes }
        for route in routes.reversed() {
            guard let parameters = route.parameters(of: request) else { continue }
            var match = request
            match.parameters = parameters
            return (match, route.handler)
        }
        return nil
    }

    private static func refusal(of request: MockRequest, enqueuedCount: Int) -> MockResponse {
        let queue = enqueuedCount == 0 ? "" : ", and no enqueued response is left of \(enqueuedCount)"
        return .text("No route for \(request.method) \(request.path)\(queue)\n", statusCode: 404)
    }
}
