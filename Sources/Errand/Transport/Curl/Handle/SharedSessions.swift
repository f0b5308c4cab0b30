#if canImport(CCurl)
import CCurl

/// The TLS sessions of an engine's handles. A new connection to a server can resume the session of an earlier one.
/// Belongs to the loop's thread, so that libcurl needs no lock.
///
/// libcurl resumes a session only for the same host with the same settings: authorities, pins, versions and client
/// certificate.
final class SharedSessions {
    private let share: OpaquePointer?

    init() {
        share = ccurl_share_sessions()
    }

    deinit {
        if let share { ccurl_share_free(share) }
    }

    /// Makes a handle use the sessions. Without memory for the share, each handle keeps its own sessions.
    func apply(to handle: CurlHandle) {
        guard let share else { return }
        handle.set(CCURLOPT_SHARE, context: UnsafeMutableRawPointer(share))
        handle.sessions = self
    }
}
#endif
