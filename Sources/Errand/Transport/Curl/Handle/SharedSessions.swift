#if canImport(CCurl)
import CCurl

/// The TLS sessions of an engine's handles, so that a new connection to a server can continue the session of an earlier one.
/// Belongs to the loop's thread, so that libcurl needs no lock.
///
/// libcurl continues a session only for the same host with the same rules: authorities, pins, versions, client certificate.
final class SharedSessions {
    private let share: OpaquePointer?

    init() {
        share = ccurl_share_sessions()
    }

    deinit {
        if let share { ccurl_share_free(share) }
    }

    /// Has a handle use them. Without memory for them, each handle keeps its own.
    func apply(to handle: CurlHandle) {
        guard let share else { return }
        handle.set(CCURLOPT_SHARE, context: UnsafeMutableRawPointer(share))
        handle.sessions = self
    }
}
#endif
