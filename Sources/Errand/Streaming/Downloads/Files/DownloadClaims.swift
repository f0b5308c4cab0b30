/// The targets of this process's downloads: a thin shell around ``DownloadClaimsState``.
///
/// Between processes, and for two paths to the same file, the lock of the file decides. Within one process, a new
/// download waits while the previous one closes its file. This happens after a cancellation, for example, while the
/// file is being flushed.
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
            case .wait: try await promise.value
            case .refused:
                throw ErrandError(.downloadInProgress, reason: "another download writes to \(target)")
            }
        }
    }

    /// Marks a target as no longer written to. It will be released soon.
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
        case wait
        case refused
    }

    private enum Claim {
        case writing
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
