import Errand

/// The state of ``Hedging``: the latencies for each account of the scope.
struct HedgingState: Sendable {
    /// The maximum number of accounts. If there are more, those used least recently are discarded.
    static let maximumAccounts = 64

    private struct Account {
        var window = LatencyWindow()
        var lastUse: Int
    }

    private let delay: Hedging.Delay
    private var accounts: [String: Account] = [:]
    private var uses = 0

    init(_ delay: Hedging.Delay) {
        self.delay = delay
    }

    /// Returns the time after which a request is sent again; `nil` if it is not.
    func delay(for account: String) -> Duration? {
        switch delay.rule {
        case .fixed(let delay): delay
        case .percentile(let share, let initial): accounts[account]?.window.quantile(share) ?? initial
        }
    }

    /// Records the latency of a response, or a lower bound of it if the attempt was cancelled.
    mutating func add(_ latency: Duration, to account: String) {
        guard case .percentile = delay.rule else { return }
        uses += 1
        if accounts[account] == nil, accounts.count >= Self.maximumAccounts,
            let oldest = accounts.min(by: { $0.value.lastUse < $1.value.lastUse })?.key
        {
            accounts[oldest] = nil
        }
        accounts[account, default: Account(lastUse: uses)].window.add(latency)
        accounts[account]?.lastUse = uses
    }
}
