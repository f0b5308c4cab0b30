import Synchronization

/// A count that closures and types of a test increase.
package final class Counter: Sendable {
    private let value = Mutex(0)

    package init() {}

    package var count: Int { value.withLock { $0 } }

    package func increase() {
        value.withLock { $0 += 1 }
    }
}
