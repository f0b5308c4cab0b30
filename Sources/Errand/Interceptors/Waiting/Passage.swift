/// The way of a request through one limit: whatever an interceptor behind it sends in the meantime, such as a request for
/// a new token, is part of that way.
///
/// Without this, such a request would wait for the place that the other one holds, which waits for it.
struct Passage: Hashable, Sendable {
    /// Those that this task is on.
    @TaskLocal static var underWay: Set<Passage> = []

    private let limit: ObjectIdentifier
    private let account: String

    /// The way through a limit, in one account of it.
    init(_ limit: some Interceptor & AnyObject, account: String) {
        self.limit = ObjectIdentifier(limit)
        self.account = account
    }

    /// Whether this task is on it already.
    var isUnderWay: Bool { Self.underWay.contains(self) }

    /// Does something on this way.
    func run<Value>(_ body: () async throws -> Value) async rethrows -> Value {
        try await Self.run([self], body)
    }

    /// Does something on ways that others are on, for whose sake it is done in a task of its own.
    static func run<Value>(_ passages: Set<Passage>, _ body: () async throws -> Value) async rethrows -> Value {
        try await $underWay.withValue(underWay.union(passages), operation: body)
    }
}
