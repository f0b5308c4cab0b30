import Errand

/// An object of OpenSSL, which is freed when the last reference to this wrapper is released.
final class OpenSSLObject {
    let pointer: OpaquePointer
    private let free: (OpaquePointer) -> Void
    private var isOwned = true
    private static let alive = Locked(0)

    /// - Throws: ``MockServerError/tls(_:)`` if the pointer is `nil`.
    init(
        _ pointer: OpaquePointer?, of openSSL: OpenSSL, _ what: String, free: @escaping (OpaquePointer) -> Void
    ) throws(MockServerError) {
        guard let pointer else { throw openSSL.failure(what) }
        self.pointer = pointer
        self.free = free
        Self.alive.withLock { $0 += 1 }
    }

    /// The number of such objects in this process.
    static var count: Int { alive.withLock { $0 } }

    deinit {
        Self.alive.withLock { $0 -= 1 }
        if isOwned { free(pointer) }
    }

    /// Returns the pointer and transfers its ownership to the caller.
    func released() -> OpaquePointer {
        isOwned = false
        return pointer
    }
}
