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

extension PartialFile {
    /// Opens or creates the file, and locks it.
    ///
    /// - Returns: The descriptor, which holds the lock until it is closed.
    static func openLocked(_ path: String) throws(ErrandError) -> Int32 {
        // The previous owner of the lock may have moved or removed the file. The lock is then on a file without this
        // path, and the loop opens the path again. `O_NONBLOCK` keeps a pipe at this path from blocking.
        for _ in 0..<100 {
            let descriptor = open(path, O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK, 0o600)
            guard descriptor >= 0 else { throw .fileFailure("cannot create", path) }
            do throws(ErrandError) {
                if try lock(descriptor, path) { return descriptor }
            } catch {
                close(descriptor)
                throw error
            }
            close(descriptor)
        }
        throw ErrandError(.downloadInProgress, reason: "other downloads replaced \(path) repeatedly")
    }

    /// Locks the file and returns whether the path still leads to it.
    ///
    /// A file that another user could have written is removed: one with another owner, several links, or permissions
    /// for others.
    private static func lock(_ descriptor: Int32, _ path: String) throws(ErrandError) -> Bool {
        var (opened, found) = (stat(), stat())
        guard fstat(descriptor, &opened) == 0 else { throw .fileFailure("cannot read", path) }
        guard opened.st_mode & S_IFMT == S_IFREG else {
            throw ErrandError(.fileAccessFailed, reason: "\(path) is not a regular file")
        }
        // Before the check of the permissions, since a download that holds the lock may be moving the file to its
        // target, with the permissions of that. Other errors are ignored: some network file systems have no locks.
        // Another user's file needs no lock, since it is removed below.
        if opened.st_uid == geteuid(), flock(descriptor, LOCK_EX | LOCK_NB) != 0, errno == EWOULDBLOCK {
            throw ErrandError(.downloadInProgress, reason: "another download has locked \(path)")
        }
        guard lstat(path, &found) == 0, found.st_ino == opened.st_ino, found.st_dev == opened.st_dev else {
            return false
        }
        guard found.st_uid == geteuid(), found.st_nlink <= 1, found.st_mode & 0o077 == 0 else {
            guard unlink(path) == 0 || errno == ENOENT else { throw .fileFailure("cannot remove", path) }
            return false
        }
        return true
    }
}
