import Errand

/// The reason why no stub is used for a request, with the most similar stubs.
struct StubRefusal {
    let code: ErrandError.Code
    /// `GET /user is not stubbed; the nearest: GET /users (BookTests.swift:12), POST /users (BookTests.swift:14)`
    let reason: String

    /// The maximum number of stubs in the reason.
    private static let namedCount = 3

    /// - Parameter usedUp: The stubs that match the request but have been used as often as they may be.
    init(of request: MockRequest, forWebSocket: Bool, stubs: [RouteStub], usedUp: [RouteStub]) {
        let name = forWebSocket ? "the WebSocket \(request.encodedPath)" : "\(request.method) \(request.encodedPath)"
        if let stub = usedUp.first {
            code = .stubsExhausted
            let times = stub.times.most ?? 0
            reason =
                "\(stub.description) (\(stub.place)) may be used \(StubTimes.times(times)), and was requested again"
            return
        }
        code = .unexpectedRequest
        guard !stubs.isEmpty else {
            reason = "\(name) is not stubbed, and there are no stubs"
            return
        }
        let ranked = stubs.map { ($0, Self.distance($0, request, forWebSocket: forWebSocket)) }
            .sorted { $0.1 < $1.1 }
        let named = ranked.prefix(Self.namedCount).map { stub, _ in
            "\(stub.description) (\(stub.place))\(Self.unmetCondition(stub, request, forWebSocket: forWebSocket))"
        }
        let left = ranked.count - named.count
        reason =
            "\(name) is not stubbed; the nearest: \(named.joined(separator: ", "))"
            + (left > 0 ? " and \(left) more" : "")
    }

    /// The parts of a stub's condition that a request for its route does not meet.
    private static func unmetCondition(_ stub: RouteStub, _ request: MockRequest, forWebSocket: Bool) -> String {
        guard let match = stub.matchOfRoute(request, forWebSocket: forWebSocket) else { return "" }
        return "; not met: \(stub.condition.unmet(by: match))"
    }

    private static func distance(_ stub: RouteStub, _ request: MockRequest, forWebSocket: Bool) -> Int {
        let methodDistance = stub.method == request.method && stub.isWebSocket == forWebSocket ? 0 : 2
        return stub.pattern.distance(to: request.encodedPath) + methodDistance
    }
}
