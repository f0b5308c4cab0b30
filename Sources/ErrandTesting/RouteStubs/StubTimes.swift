/// How often a stub of ``RouteStubs`` is to be asked.
///
/// One that has been asked as often as it may be makes way for the stubs in front of it. One that has been asked less often
/// than it has to be fails the test at its end.
public struct StubTimes: Hashable, Sendable {
    /// How often at least.
    let least: Int
    /// How often at most; nil for any number.
    let most: Int?

    private init(least: Int, most: Int?) {
        self.least = max(least, 0)
        self.most = most.map { max($0, 0) }
    }

    /// Once or more: what a stub is for that says nothing else.
    public static let atLeastOnce = StubTimes(least: 1, most: nil)
    /// Once.
    public static let once = StubTimes(least: 1, most: 1)
    /// Any number of times, none included.
    public static let any = StubTimes(least: 0, most: nil)

    /// So often; a negative count is none.
    public static func exactly(_ count: Int) -> StubTimes { StubTimes(least: count, most: count) }
    /// So often or more; a negative count is none.
    public static func atLeast(_ count: Int) -> StubTimes { StubTimes(least: count, most: nil) }
    /// So often or less; a negative count is none.
    public static func atMost(_ count: Int) -> StubTimes { StubTimes(least: 0, most: count) }
}

extension StubTimes: CustomStringConvertible {
    /// In words: `once`, `at least 2 times`.
    public var description: String {
        switch (least, most) {
        case (let least, .some(let most)) where least == most: Self.times(most)
        case (0, nil): "any number of times"
        case (let least, nil): "at least \(Self.times(least))"
        case (_, .some(let most)): "at most \(Self.times(most))"
        }
    }

    /// A number of times in words.
    static func times(_ count: Int) -> String {
        switch count {
        case 0: "never"
        case 1: "once"
        default: "\(count) times"
        }
    }
}
