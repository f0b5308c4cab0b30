import Errand

/// Elements that are used up one after the other, by whoever comes next.
final class Turns<Element: Sendable>: Sendable {
    /// What there is for one who comes.
    enum Turn {
        case element(Element)
        /// All were used up; this one would have been so manieth, counted from 1.
        case beyond(Int)
    }

    private let elements: [Element]
    private let repeatsLast: Bool
    private let used = Locked(0)

    /// - Parameter repeatsLast: Whether the last is there for ever.
    init(_ elements: [Element], repeatingLast repeatsLast: Bool = false) {
        self.elements = elements
        self.repeatsLast = repeatsLast
    }

    func next() -> Turn {
        let turn = used.withLock { used in
            defer { used += 1 }
            return used
        }
        if turn < elements.count { return .element(elements[turn]) }
        if repeatsLast, let last = elements.last { return .element(last) }
        return .beyond(turn + 1)
    }

    /// The next one; `nil` after the last.
    func nextElement() -> Element? {
        if case .element(let element) = next() { element } else { nil }
    }
}
