/// What ``Hedging`` remembers: for each account of the scope how long responses take.
struct HedgingState: Sendable {
    /// More accounts than these are not remembered; those used least recently are forgotten.
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

    /// After how long a request is sent once more; `nil` for never.
    func delay(for account: String) -> Duration? {
        switch delay.rule {
        case .fixed(let delay): delay
        case .percentile(let share, let initial): accounts[account]?.window.quantile(share) ?? initial
        }
    }

    /// Remembers how long a response took, or at least took until nobody needed it any more.
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
