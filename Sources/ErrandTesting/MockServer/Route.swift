import Errand

/// A method, a pattern of paths and what answers them.
struct Route: Sendable {
    let handler: MockServer.Handler
    private let method: RequestMethod
    private let pattern: RoutePattern

    /// Reads the pattern, as ``RoutePattern`` says.
    init(_ method: RequestMethod, _ pattern: String, handler: @escaping MockServer.Handler) {
        self.method = method
        self.pattern = RoutePattern(pattern)
        self.handler = handler
    }

    /// What the pattern's parameters are for this request; nil when the route is not for it.
    func parameters(of request: MockRequest) -> [String: String]? {
        request.method == method ? pattern.parameters(of: request.encodedPath) : nil
    }
}
