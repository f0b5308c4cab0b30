import Errand

/// The state machine of ``RouteStubs``: which stubs there are, how often each was asked, and what came unexpected.
///
/// It calls nobody's closure: which stubs match a request is found before.
struct StubTable: Sendable {
    /// What answers a request.
    enum Decision {
        /// This stub, for the so-manieth time, counted from 0.
        case answer(Int, turn: Int)
        /// None: there are no candidates, or all were asked as often as they may be.
        case usedUp
    }

    private(set) var stubs: [RouteStub] = []
    private var counts: [Int] = []
    private var unexpected: [String] = []

    mutating func add(_ stub: RouteStub) {
        stubs.append(stub)
        counts.append(0)
    }

    /// Asks the first of the stubs that may still be asked.
    ///
    /// - Parameter candidates: Those that match a request, by their places in ``stubs``.
    mutating func ask(_ candidates: [Int]) -> Decision {
        for index in candidates where counts[index] < stubs[index].times.most ?? .max {
            defer { counts[index] += 1 }
            return .answer(index, turn: counts[index])
        }
        return .usedUp
    }

    /// Remembers a request that nobody expected.
    mutating func refuse(_ message: String) {
        unexpected.append(message)
    }

    /// What the test did not see to: first what came unexpected, then what did not come.
    var problems: [StubFailure.Problem] {
        unexpected.map { StubFailure.Problem(kind: .unexpectedRequest, message: $0, place: nil) } + unused
    }

    private var unused: [StubFailure.Problem] {
        zip(stubs, counts).compactMap { stub, count in
            guard count < stub.times.least else { return nil }
            let asked = count == 0 ? "was not asked" : "was asked \(StubTimes.times(count)), not \(stub.times)"
            return StubFailure.Problem(
                kind: .unusedStub, message: "\(stub.description) (\(stub.place)) \(asked)", place: stub.place)
        }
    }
}
