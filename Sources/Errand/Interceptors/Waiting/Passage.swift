/// The passage of a request through one limit. Requests that an interceptor after the limit sends in the meantime, such as one for
/// a new token, belong to the passage.
///
/// Otherwise, such a request would wait for a place that the first request occupies, which itself waits for it.
struct Passage: Hashable, Sendable {
    /// The passages that this task belongs to.
    @TaskLocal static var underWay: Set<Passage> = []
    /// The passages of all requests that wait for this task.
    @TaskLocal private static var shared: SharedPassages?

    private let limit: ObjectIdentifier
    private let account: String

    /// Creates the passage through a limit, for one name of its scope.
    init(_ limit: some Interceptor & AnyObject, account: String) {
        self.limit = ObjectIdentifier(limit)
        self.account = account
    }

    /// Whether this task currently belongs to the passage.
    var isUnderWay: Bool { Self.underWay.contains(self) || Self.shared?.contains(self) == true }

    /// Calls `handler` once, when a request of this passage begins to wait for this task.
    ///
    /// - Returns: The observation, which ends when it is released. `nil` in a task for which requests cannot begin to
    ///   wait.
    func whenJoined(_ handler: @escaping @Sendable () -> Void) -> CancellationToken? {
        Self.shared?.observe(self, handler)
    }

    /// Runs `body` as a part of this passage.
    func run<Value>(_ body: () async throws -> Value) async rethrows -> Value {
        try await Self.$underWay.withValue(Self.underWay.union([self]), operation: body)
    }

    /// Runs `body` as a part of the passages of all requests that wait for it, including those that begin to wait
    /// later.
    static func run<Value>(for waiters: SharedPassages, _ body: () async throws -> Value) async rethrows -> Value {
        try await $shared.withValue(waiters, operation: body)
    }
}

/// The passages of all requests that wait for one task.
final class SharedPassages: Sendable {
    private struct State {
        var waiting: [Int: Set<Passage>] = [:]
        var observers: [Int: (passage: Passage, handler: @Sendable () -> Void)] = [:]
        var numbers = 0

        func contains(_ passage: Passage) -> Bool { waiting.values.contains { $0.contains(passage) } }
    }

    private let state = Locked(State())

    func contains(_ passage: Passage) -> Bool { state.withLock { $0.contains(passage) } }

    /// Adds the passages of a waiting request for as long as `body` runs.
    func waiting<Value>(_ passages: Set<Passage>, _ body: () async throws -> Value) async rethrows -> Value {
        guard !passages.isEmpty else { return try await body() }
        let ticket = add(passages)
        defer { state.withLock { $0.waiting[ticket] = nil } }
        return try await body()
    }

    private func add(_ passages: Set<Passage>) -> Int {
        let (ticket, handlers) = state.withLock { state in
            state.numbers += 1
            state.waiting[state.numbers] = passages
            let joined = state.observers.filter { passages.contains($0.value.passage) }
            for number in joined.keys { state.observers[number] = nil }
            return (state.numbers, joined.values.map(\.handler))
        }
        for handler in handlers { handler() }
        return ticket
    }

    /// Calls `handler` once, when a request of the passage waits; immediately if one already does.
    func observe(_ passage: Passage, _ handler: @escaping @Sendable () -> Void) -> CancellationToken? {
        let number = state.withLock { state -> Int? in
            guard !state.contains(passage) else { return nil }
            state.numbers += 1
            state.observers[state.numbers] = (passage, handler)
            return state.numbers
        }
        guard let number else {
            handler()
            return nil
        }
        return CancellationToken { [state] in _ = state.withLock { $0.observers.removeValue(forKey: number) } }
    }
}
