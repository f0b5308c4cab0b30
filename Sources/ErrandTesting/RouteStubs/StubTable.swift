import Errand

/// The state machine of ``RouteStubs``: the stubs, their use counts and the unexpected requests.
///
/// It calls no closures. The caller determines which stubs match a request.
struct StubTable: Sendable {
    /// The decision for a request.
    enum Decision {
        /// This stub, with the number of its earlier uses.
        case use(Int, turn: Int)
        /// No stub: there are no candidates, or all have been used as often as they may be.
        case usedUp
    }

    private(set) var stubs: [RouteStub] = []
    private var counts: [Int] = []
    private var unexpected: [String] = []

    mutating func add(_ stub: RouteStub) {
        stubs.append(stub)
        counts.append(0)
    }

    /// Uses the first candidate that may still be used.
    ///
    /// - Parameter candidates: The stubs that match a request, by their indices in ``stubs``.
    mutating func use(_ candidates: [Int]) -> Decision {
        for index in candidates where counts[index] < stubs[index].times.most ?? .max {
            defer { counts[index] += 1 }
            return .use(index, turn: counts[index])
        }
        return .usedUp
    }

    /// Records an unexpected request.
    mutating func refuse(_ message: String) {
        unexpected.append(message)
    }

    /// The problems: first the unexpected requests, then the stubs that were not used often enough.
    var problems: [StubFailure.Problem] {
        unexpected.map { StubFailure.Problem(kind: .unexpectedRequest, message: $0, place: nil) } + unused
    }

    private var unused: [StubFailure.Problem] {
        zip(stubs, counts).compactMap { stub, count in
            guard count < stub.times.least else { return nil }
            let used = count == 0 ? "was not used" : "was used \(StubTimes.times(count)), not \(stub.times)"
            return StubFailure.Problem(
                kind: .unusedStub, message: "\(stub.description) (\(stub.place)) \(used)", place: stub.place)
        }
    }
}
