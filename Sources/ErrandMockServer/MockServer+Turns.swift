public import Errand
public import ErrandTesting

extension MockServer {
    /// Responds to the requests of a route with one response each, in order of arrival.
    ///
    /// ```swift
    /// server.on(.get, "/books", inTurn: [.status(503), .json(books)])
    /// ```
    ///
    /// A further request gets status 500 and a text that says so, unless the last response is repeated.
    ///
    /// - Parameters:
    ///   - method: The method.
    ///   - pattern: As for ``on(_:_:handler:)``.
    ///   - responses: The responses, each for one request.
    ///   - repeatsLast: Whether the last response is repeated; `false` by default.
    public func on(
        _ method: RequestMethod, _ pattern: String, inTurn responses: [MockResponse],
        repeatingLast repeatsLast: Bool = false
    ) {
        let turns = Turns(responses, repeatingLast: repeatsLast)
        on(method, pattern) { _ in
            switch turns.next() {
            case .element(let response): response
            case .beyond(let turn):
                .text(
                    "\(method) \(pattern) has \(responses.count) responses, and this is request \(turn)\n",
                    statusCode: 500)
            }
        }
    }
}
