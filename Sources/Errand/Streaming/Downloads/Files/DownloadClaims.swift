/// The targets of this process's downloads. It holds the lock for its state machine, ``DownloadClaimsState``.
///
/// A download claims its target with ``take(_:)``, and no other download can then write to it. When it ends or is
/// cancelled, it calls ``leave(_:)``, and ``release(_:)`` as soon as its file is closed. A download that begins between
/// the two waits, for example while a cancelled one still writes. Between processes, and for two paths to the same
/// file, the lock of the file decides.
final class DownloadClaims: Sendable {
    static let shared = DownloadClaims()

    private let state = Locked(DownloadClaimsState())

    /// Claims a target.
    ///
    /// - Throws: ``ErrandError`` with `downloadInProgress` while another download is writing to the target, or with
    ///   `cancelled`.
    func take(_ target: String) async throws {
        while true {
            let promise = PipelinePromise<Void, any Error>()
            switch state.withLock({ $0.take(target, promise) }) {
            case .taken: return
            // Another download may claim the target first, so the loop tries again.
            case .wait: try await promise.value
            case .refused:
                throw ErrandError(.downloadInProgress, reason: "another download writes to \(target)")
            }
        }
    }

    /// Marks a target whose download ends. The target is released after the file is closed. A second call has no
    /// effect.
    func leave(_ target: String) {
        state.withLock { $0.leave(target) }
    }

    /// Releases a target and resumes the downloads that wait for it.
    func release(_ target: String) {
        for waiter in state.withLock({ $0.release(target) }) { waiter.resolve(with: .success(())) }
    }
}

/// The state machine of ``DownloadClaims``.
struct DownloadClaimsState: Sendable {
    typealias Waiter = PipelinePromise<Void, any Error>

    enum Outcome {
        case taken
        /// The target is released soon. The promise is then resolved.
        case wait
        case refused
    }

    private enum Claim {
        case writing
        /// The download is ending and closes its file; these downloads wait for the target.
        case leaving([Waiter])
    }

    private var claims: [String: Claim] = [:]

    mutating func take(_ target: String, _ waiter: Waiter) -> Outcome {
        switch claims[target] {
        case nil:
            claims[target] = .writing
            return .taken
        case .writing:
            return .refused
        case .leaving(let waiters):
            claims[target] = .leaving(waiters + [waiter])
            return .wait
        }
    }

    mutating func leave(_ target: String) {
        guard case .writing = claims[target] else { return }
        claims[target] = .leaving([])
    }

    mutating func release(_ target: String) -> [Waiter] {
        guard case .leaving(let waiters) = claims.removeValue(forKey: target) else { return [] }
        return waiters
    }
}
