import Errand

/// Which handler answers which request.
final class Router: Sendable {
    private struct Table {
        var routes: [Route] = []
        var fallback: MockServer.Handler = { request in
            .text("No route for \(request.method) \(request.path)\n", statusCode: 404)
        }
    }

    /// Guards the routes and the fallback, which are added from any thread and looked up on the server's.
    private let table = Locked(Table())

    func add(_ route: Route) {
        table.withLock { $0.routes.append(route) }
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

    /// The handler for a request, and the request with its parameters filled in.
    func route(_ request: MockRequest) -> (request: MockRequest, handler: MockServer.Handler) {
        let table = table.withLock { $0 }
        var request = request
        for route in table.routes.reversed() {
            guard let parameters = route.parameters(of: request) else { continue }
            request.parameters = parameters
            return (request, route.handler)
        }
        return (request, table.fallback)
    }
}
