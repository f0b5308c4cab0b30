import Errand

/// Elements that are used one after the other, each by the next caller.
package final class Turns<Element: Sendable>: Sendable {
    /// The result of a turn.
    package enum Turn {
        case element(Element)
        /// All elements have been used; the number of this turn, from 1.
        case beyond(Int)
    }

    private let elements: [Element]
    private let repeatsLast: Bool
    private let used = Locked(0)

    /// - Parameter repeatsLast: Whether the last element is returned again after all have been used.
    package init(_ elements: [Element], repeatingLast repeatsLast: Bool = false) {
        self.elements = elements
        self.repeatsLast = repeatsLast
    }

    package func next() -> Turn {
        let turn = used.withLock { used in
            defer { used += 1 }
            return used
        }
        if turn < elements.count { return .element(elements[turn]) }
        if repeatsLast, let last = elements.last { return .element(last) }
        return .beyond(turn + 1)
    }

    /// Returns the next element; `nil` after the last one.
    package func nextElement() -> Element? {
        if case .element(let element) = next() { element } else { nil }
    }
}
