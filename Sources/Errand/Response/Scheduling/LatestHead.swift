import Synchronization

/// The head of the latest response to a request, before validation and decoding. The request object owns it, and its
/// runs report to it.
final class LatestHead: Sendable {
    private struct State: Sendable {
        var head: ResponseHead?
        var digest: Int?
        var wantsDigest = false
    }

    private let state = Mutex(State())

    /// The head; `nil` if the latest run has no response yet, or none at all.
    var head: ResponseHead? { state.withLock { $0.head } }
    /// A digest that is equal for two responses with the same body; `nil` unless ``wantDigest()`` was called.
    var digest: Int? { state.withLock { $0.digest } }

    /// Computes digests from now on.
    func wantDigest() {
        state.withLock { $0.wantsDigest = true }
    }

    /// Forgets the response to the run before.
    func begin() {
        state.withLock { ($0.head, $0.digest) = (nil, nil) }
    }

    /// Stores the response with which a run ends; the last response of a run that failed.
    func end(_ response: DataResponse) {
        let wantsDigest = state.withLock { state in
            state.head = ResponseHead(response)
            return state.wantsDigest
        }
        guard wantsDigest else { return }
        let digest = Self.digest(of: response.data)
        state.withLock { $0.digest = digest }
    }

    /// A digest of all bytes; `Data`'s own hash uses only the first bytes.
    private static func digest(of data: Data) -> Int {
        var hasher = Hasher()
        data.withUnsafeBytes { hasher.combine(bytes: $0) }
        return hasher.finalize()
    }
}
