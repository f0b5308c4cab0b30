import Errand

/// A list of events in order, recorded from any thread.
package final class Recorder<Element: Sendable>: Sendable {
    private let recorded = Locked<[Element]>([])

    package init() {}

    package var elements: [Element] { recorded.withLock { $0 } }

    package func record(_ element: Element) {
        recorded.withLock { $0.append(element) }
    }
}
