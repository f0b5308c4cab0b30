import Errand

/// Which handler answers which request.
final class Router: Sendable {
    private struct Table {
        var routes: [Route] = []
        /// The responses that are left for requests that no route matches.
        var queue: ArraySlice<MockResponse> = []
        /// How many responses were ever in the queue.
        var enqueuedCount = 0
        var fallback: MockServer.Handler?
    }

    /// Guards the routes, the queue and the fallback, which are added from any thread and looked up on the server's.
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

    func setFallback(_ handler: @escaping MockServer.Handler) {
        let replaced = table.withLock { table in
            defer { table.fallback = handler }
            return table.fallback
        }
        // Released only here, without the lock: a handler may hold the last reference to anything.
        withExtendedLifetime(replaced) {}
    }

    /// Lets go of every handler, and so of whatever they capture.
    func removeAll() {
        let removed = table.withLock { table in
            defer { table = Table() }
            return table
        }
        withExtendedLifetime(removed) {}
    }

    /// The handler for a request, and the request with its parameters filled in. Takes a response of the queue if no route
    /// matches.
    func route(_ request: MockRequest) -> (request: MockRequest, handler: MockServer.Handler) {
        if let match = match(request) { return match }
        let (response, enqueuedCount, fallback) = table.withLock { table in
            (table.queue.popFirst(), table.enqueuedCount, table.fallback)
        }
        if let response { return (request, { _ in response }) }
        return (request, fallback ?? { request in Self.refusal(of: request, enqueuedCount: enqueuedCount) })
    }

    /// The request with the parameters of its route filled in.
    func named(_ request: MockRequest) -> MockRequest {
        match(request)?.request ?? request
    }

    private func match(_ request: MockRequest) -> (request: MockRequest, handler: MockServer.Handler)? {
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
