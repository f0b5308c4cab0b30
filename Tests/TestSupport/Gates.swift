import Errand

/// Gates in a row: each caller passes the next one, so that a test lets a server continue step by step.
package final class Gates: Sendable {
    private let gates: [Gate]
    private let passed = Locked(0)

    package init(_ count: Int) {
        gates = (0..<count).map { _ in Gate() }
    }

    /// Waits until the next gate in the row is open. After the last gate it returns at once.
    package func passNext() async throws {
        let number = passed.withLock { passed in
            defer { passed += 1 }
            return passed
        }
        if number < gates.count { try await gates[number].pass() }
    }

    /// Opens one of them.
    package func open(_ number: Int) {
        gates[number].open()
    }

    /// Waits until a caller waits at a gate.
    package func waitForArrival(at number: Int) async throws {
        try await gates[number].waitForArrivals(1)
    }
}
