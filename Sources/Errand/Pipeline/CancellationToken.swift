/// A token that cancels work when its last reference is released, or when ``cancel()`` is called.
public final class CancellationToken: Sendable {
    private let action: Locked<(@Sendable () -> Void)?>

    /// Creates a token.
    ///
    /// - Parameter cancel: The closure that cancels the work. It is called at most once, on the thread that cancels or
    ///   releases.
    public init(_ cancel: @escaping @Sendable () -> Void) {
        action = Locked(cancel)
    }

    deinit {
        cancel()
    }

    /// Cancels the work. Only the first call has an effect.
    public func cancel() {
        let cancel = action.withLock { action in
            defer { action = nil }
            return action
        }
        cancel?()
    }

    /// Stores this token in a collection, which keeps the work alive.
    public func store(in collection: inout some RangeReplaceableCollection<CancellationToken>) {
        collection.append(self)
    }

    /// Stores this token in a set, which keeps the work alive.
    public func store(in set: inout Set<CancellationToken>) {
        set.insert(self)
    }
}

extension CancellationToken: Hashable {
    /// Returns `true` if both are the same object.
    public static func == (one: CancellationToken, other: CancellationToken) -> Bool { one === other }

    /// Hashes the identity of the token.
    public func hash(into hasher: inout Hasher) {
        hasher.combine(ObjectIdentifier(self))
    }
}
