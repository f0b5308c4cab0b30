import Errand

/// A stub of ``RouteStubs``: the requests that it matches, how often it may be used, and its response.
struct RouteStub: Sendable {
    /// The response of a stub.
    enum Response: Sendable {
        case handler(MockHandler)
        /// One response for each request.
        case inTurn([MockResponse])
        case webSocket(any Transport)
    }

    /// An operation of a document.
    struct Operation: Sendable {
        /// Its place in the document: `#/paths/~1books/get`.
        let pointer: String
        /// Whether a request with the method and a path of the pattern is for this operation.
        let isMeant: @Sendable (MockRequest) -> Bool
        /// Why a request does not fit the document, and the place that demands it; `nil` if it fits.
        let fault: @Sendable (MockRequest) -> String?
    }

    let method: RequestMethod
    let pattern: RoutePattern
    let condition: RequestCondition
    let times: StubTimes
    let response: Response
    let place: StubPlace
    /// The operation that the stub stands for; `nil` for a stub without a document.
    var operation: Operation?

    /// Whether the stub is the peer of a WebSocket.
    var isWebSocket: Bool {
        if case .webSocket = response { true } else { false }
    }

    /// Returns the request with the pattern's parameters; `nil` if the stub does not match it.
    func match(_ request: MockRequest, forWebSocket: Bool) -> MockRequest? {
        guard let match = matchOfRoute(request, forWebSocket: forWebSocket), condition.isMet(by: match) else {
            return nil
        }
        return match
    }

    /// Returns the same as ``match(_:forWebSocket:)``, but ignores the condition of the stub.
    func matchOfRoute(_ request: MockRequest, forWebSocket: Bool) -> MockRequest? {
        guard isWebSocket == forWebSocket, method == request.method,
            let parameters = pattern.parameters(of: request.encodedPath), operation?.isMeant(request) ?? true
        else { return nil }
        var match = request
        match.parameters = parameters
        return match
    }

    /// The requests that the stub matches, in words: `GET /books/:id where the query has "page"`.
    var description: String {
        let route = isWebSocket ? "the WebSocket \(pattern.text)" : "\(method) \(pattern.text)"
        let name = operation.map { "\(route) at \($0.pointer)" } ?? route
        let condition = condition.description
        return condition.isEmpty ? name : "\(name) where \(condition)"
    }
}
