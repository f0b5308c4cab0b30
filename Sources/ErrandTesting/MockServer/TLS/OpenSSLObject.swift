import Errand

/// An object of OpenSSL's, and what gives it back once nobody has this any more.
final class OpenSSLObject {
    let pointer: OpaquePointer
    private let free: (OpaquePointer) -> Void
    private var isOwned = true
    private static let alive = Locked(0)

    /// - Throws: ``MockServerError/tls(_:)`` when there is none.
    init(
        _ pointer: OpaquePointer?, of openSSL: OpenSSL, _ what: String, free: @escaping (OpaquePointer) -> Void
    ) throws(MockServerError) {
        guard let pointer else { throw openSSL.failure(what) }
        self.pointer = pointer
        self.free = free
        Self.alive.withLock { $0 += 1 }
    }

    /// How many there are in this process.
    static var count: Int { alive.withLock { $0 } }

    deinit {
        Self.alive.withLock { $0 -= 1 }
        if isOwned { free(pointer) }
    }

    /// Leaves the object to whoever gets this.
    func released() -> OpaquePointer {
        isOwned = false
        return pointer
    }
}
