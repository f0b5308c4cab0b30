import Errand

/// A count of the failures among the latest outcomes.
struct FailureTally: Sendable {
    /// The outcomes of one tenth of the window.
    private struct Slice {
        let start: Duration
        var failures = 0
        var total = 0
    }

    private let window: Duration
    private var slices: [Slice] = []
    private var consecutive = 0

    init(_ tripping: CircuitBreaker.Tripping) {
        switch tripping.rule {
        case .consecutive: window = .zero
        case .ratio(_, let window, _): self.window = window
        }
    }

    mutating func add(isFailure: Bool, now: Duration) {
        consecutive = isFailure ? consecutive + 1 : 0
        guard window > .zero else { return }
        forgetWhatIsOver(now: now)
        if slices.last.map({ $0.start + window / 10 <= now }) ?? true { slices.append(Slice(start: now)) }
        let last = slices.count - 1
        slices[last].total += 1
        if isFailure { slices[last].failures += 1 }
    }

    func isTooMuch(for tripping: CircuitBreaker.Tripping) -> Bool {
        switch tripping.rule {
        case .consecutive(let count):
            return consecutive >= count
        case .ratio(let ratio, _, let minimumCount):
            let total = slices.reduce(0) { $0 + $1.total }
            let failures = slices.reduce(0) { $0 + $1.failures }
            return failures > 0 && total >= minimumCount && Double(failures) >= ratio * Double(total)
        }
    }

    /// Returns `true` if the tally is equivalent to a new one.
    mutating func isUneventful(now: Duration) -> Bool {
        isOver(now: now) && (consecutive == 0 || window > .zero)
    }

    /// Returns `true` if no outcome is left in the window; always `true` without a window.
    mutating func isOver(now: Duration) -> Bool {
        forgetWhatIsOver(now: now)
        return slices.isEmpty
    }

    private mutating func forgetWhatIsOver(now: Duration) {
        slices.removeAll { $0.start + window <= now }
    }
}
