/// Work in progress that is cancelled when the last reference to this goes away, or when told so.
public final class CancellationToken: Sendable {
    private let action: Locked<(@Sendable () -> Void)?>

    /// Something that `cancel` stops.
    ///
    /// - Parameter cancel: Called at most once, on the thread that cancels or releases.
    public init(_ cancel: @escaping @Sendable () -> Void) {
        action = Locked(cancel)
    }

    deinit {
        cancel()
    }

    /// Stops the work. Only the first call does anything.
    public func cancel() {
        let cancel = action.withLock { action in
            defer { action = nil }
            return action
        }
        cancel?()
    }

    /// Keeps this, and so the work, alive as long as the collection.
    public func store(in collection: inout some RangeReplaceableCollection<CancellationToken>) {
        collection.append(self)
    }

    /// Keeps this, and so the work, alive as long as the set.
    public func store(in set: inout Set<CancellationToken>) {
        set.insert(self)
    }
}

extension CancellationToken: Hashable {
    /// Whether both are the same object.
    public static func == (one: CancellationToken, other: CancellationToken) -> Bool { one === other }

    /// By identity.
    public func hash(into hasher: inout Hasher) {
        hasher.combine(ObjectIdentifier(self))
    }
}
