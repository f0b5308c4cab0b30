import Errand
import ErrandTesting

/// A method and a path pattern with their handler.
struct Route: Sendable {
    let handler: MockHandler
    private let method: RequestMethod
    private let pattern: RoutePattern

    /// Parses the pattern as a ``RoutePattern``.
    init(_ method: RequestMethod, _ pattern: String, handler: @escaping MockHandler) {
        self.method = method
        self.pattern = RoutePattern(pattern)
        self.handler = handler
    }

    /// Returns the values of the pattern's parameters for a request; `nil` if the route does not match.
    func parameters(of request: MockRequest) -> [String: String]? {
        request.method == method ? pattern.parameters(of: request.encodedPath) : nil
    }
}
