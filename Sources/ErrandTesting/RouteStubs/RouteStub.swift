import Errand

/// One stub of ``RouteStubs``: which requests it is for, how often, and what answers them.
struct RouteStub: Sendable {
    /// What answers.
    enum Answer: Sendable {
        case handler(MockServer.Handler)
        /// One for each request.
        case inTurn([MockResponse])
        case webSocket(WebSocketStub)
    }

    let method: RequestMethod
    let pattern: RoutePattern
    let condition: RequestCondition
    let times: StubTimes
    let answer: Answer
    let place: StubPlace

    /// Whether it is the peer of a WebSocket.
    var isWebSocket: Bool {
        if case .webSocket = answer { true } else { false }
    }

    /// The request with the pattern's parameters; nil when the stub is not for it.
    func match(_ request: MockRequest, forWebSocket: Bool) -> MockRequest? {
        guard let match = matchOfRoute(request, forWebSocket: forWebSocket), condition.isMet(by: match) else {
            return nil
        }
        return match
    }

    /// The same, whatever the condition says.
    func matchOfRoute(_ request: MockRequest, forWebSocket: Bool) -> MockRequest? {
        guard isWebSocket == forWebSocket, method == request.method,
            let parameters = pattern.parameters(of: request.encodedPath)
        else { return nil }
        var match = request
        match.parameters = parameters
        return match
    }

    /// What it is for, in words: `GET /books/:id where the query has "page"`.
    var description: String {
        let name = isWebSocket ? "the WebSocket \(pattern.text)" : "\(method) \(pattern.text)"
        let condition = condition.description
        return condition.isEmpty ? name : "\(name) where \(condition)"
    }
}
