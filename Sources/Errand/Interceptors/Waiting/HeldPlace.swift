/// The place that a request holds in one limit. Requests that an interceptor after the limit sends in the meantime,
/// such as one for a new token, belong to the place.
///
/// Otherwise, a deadlock would occur: the later request would wait for the place of the first, and the first for the
/// response to the later.
struct HeldPlace: Hashable, Sendable {
    /// The places that this task belongs to.
    @TaskLocal static var active: Set<HeldPlace> = []
    /// The places of all requests that wait for this task.
    @TaskLocal private static var shared: SharedPlaces?

    private let limit: ObjectIdentifier
    private let account: String

    /// Creates the place in a limit, for one name of its scope.
    init(_ limit: some Interceptor & AnyObject, account: String) {
        self.limit = ObjectIdentifier(limit)
        self.account = account
    }

    /// Whether this task currently belongs to the place.
    var isActive: Bool { Self.active.contains(self) || Self.shared?.contains(self) == true }

    /// Calls `handler` once, when a request of this place begins to wait for this task.
    ///
    /// - Returns: The observation, which ends when it is released. `nil` in a task for which requests cannot begin to
    ///   wait.
    func whenJoined(_ handler: @escaping @Sendable () -> Void) -> CancellationToken? {
        Self.shared?.observe(self, handler)
    }

    /// Runs `body` as a part of this place.
    func run<Value>(_ body: () async throws -> Value) async rethrows -> Value {
        try await Self.$active.withValue(Self.active.union([self]), operation: body)
    }

    /// Runs `body` as a part of the places of all requests that wait for it, including those that begin to wait
    /// later.
    static func run<Value>(for waiters: SharedPlaces, _ body: () async throws -> Value) async rethrows -> Value {
        try await $shared.withValue(waiters, operation: body)
    }
}

/// The places of all requests that wait for one task.
final class SharedPlaces: Sendable {
    private struct State {
        var waiting: [Int: Set<HeldPlace>] = [:]
        var observers: [Int: (place: HeldPlace, handler: @Sendable () -> Void)] = [:]
        var numbers = 0

        func contains(_ place: HeldPlace) -> Bool { waiting.values.contains { $0.contains(place) } }
    }

    private let state = Locked(State())

    func contains(_ place: HeldPlace) -> Bool { state.withLock { $0.contains(place) } }

    /// Adds the places of a waiting request for as long as `body` runs.
    func waiting<Value>(_ places: Set<HeldPlace>, _ body: () async throws -> Value) async rethrows -> Value {
        guard !places.isEmpty else { return try await body() }
        let ticket = add(places)
        defer { state.withLock { $0.waiting[ticket] = nil } }
        return try await body()
    }

    private func add(_ places: Set<HeldPlace>) -> Int {
        let (ticket, handlers) = state.withLock { state in
            state.numbers += 1
            state.waiting[state.numbers] = places
            let joined = state.observers.filter { places.contains($0.value.place) }
            for number in joined.keys { state.observers[number] = nil }
            return (state.numbers, joined.values.map(\.handler))
        }
        for handler in handlers { handler() }
        return ticket
    }

    /// Calls `handler` once, when a request of the place waits; immediately if one already does.
    func observe(_ place: HeldPlace, _ handler: @escaping @Sendable () -> Void) -> CancellationToken? {
        let number = state.withLock { state -> Int? in
            guard !state.contains(place) else { return nil }
            state.numbers += 1
            state.observers[state.numbers] = (place, handler)
            return state.numbers
        }
        guard let number else {
            handler()
            return nil
        }
        return CancellationToken { [state] in _ = state.withLock { $0.observers.removeValue(forKey: number) } }
    }
}
