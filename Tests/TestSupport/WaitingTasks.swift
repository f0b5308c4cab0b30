import Errand

/// Counts the tasks that wait for one shared piece of work, such as the refresh of a token.
///
/// ```swift
/// let waiting = WaitingTasks(for: AccessToken.self)
/// let task = waiting.observing { Task { try await request.value } }
/// try await waitUntil { waiting.count == 1 }
/// ```
package final class WaitingTasks: Sendable {
    private let counts = Locked(0)
    private let output: ObjectIdentifier

    /// - Parameter output: The type of the work's output. Work with another output is ignored.
    package init<Output>(for output: Output.Type) {
        self.output = ObjectIdentifier(output)
    }

    /// The number of tasks that wait now.
    package var count: Int { counts.withLock { $0 } }

    /// Runs a closure. The tasks that it starts are counted.
    package func observing<Result>(_ body: () throws -> Result) rethrows -> Result {
        try WaitObserver.$current.withValue(observe, operation: body)
    }

    private var observe: WaitObserver.Observe {
        { [counts, output] type, begins in
            guard ObjectIdentifier(type) == output else { return }
            counts.withLock { $0 += begins ? 1 : -1 }
        }
    }
}
