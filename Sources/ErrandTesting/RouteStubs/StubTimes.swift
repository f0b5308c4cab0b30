/// How often a stub of ``RouteStubs`` must and may be used.
///
/// A stub that has been used as often as it may be leaves further requests to earlier stubs. A stub that was used less
/// often than it must be fails the test at its end.
public struct StubTimes: Hashable, Sendable {
    /// The minimum number of uses.
    let least: Int
    /// The maximum number of uses; `nil` for any number.
    let most: Int?

    private init(least: Int, most: Int?) {
        self.least = max(least, 0)
        self.most = most.map { max($0, 0) }
    }

    /// Once or more: the default.
    public static let atLeastOnce = StubTimes(least: 1, most: nil)
    /// Once.
    public static let once = StubTimes(least: 1, most: 1)
    /// Any number of times, including zero.
    public static let any = StubTimes(least: 0, most: nil)

    /// Exactly this number of times; a negative count means zero.
    public static func exactly(_ count: Int) -> StubTimes { StubTimes(least: count, most: count) }
    /// This number of times or more; a negative count means zero.
    public static func atLeast(_ count: Int) -> StubTimes { StubTimes(least: count, most: nil) }
    /// This number of times or fewer; a negative count means zero.
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

    /// Returns a number of times in words.
    static func times(_ count: Int) -> String {
        switch count {
        case 0: "never"
        case 1: "once"
        default: "\(count) times"
        }
    }
}
