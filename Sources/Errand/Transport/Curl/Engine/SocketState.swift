#if canImport(CCurl)
/// What is known of a descriptor.
struct SocketState {
    /// Whether libcurl waits for it. One that it does not wait for stays in the queue as long as nothing happens to
    /// it: it mostly is a connection between two requests.
    var isWanted = false
    /// Whether libcurl tells when it is closed, so that what the queue knows of it is known here too.
    var isConnection = false
    /// Whether it is a connection that stands between two requests, where nothing may come: HTTP/1 has no answer
    /// without a request.
    var isIdle = false
    /// When something last came, in nanoseconds.
    var lastReceived: UInt64 = 0
    /// What the queue waits for, as far as that is known.
    var queued = 0
    /// Whose it is, where it is not a transfer's.
    var wire: CurlWire?
    /// Where a connection leads.
    var origin = ""
    /// Whether it is a connection that no transfer can use.
    var isWire = false
    /// Whether programs that the process starts do not inherit it.
    var isPrivate = false
}

/// How the system looks for a peer that has gone.
struct KeepAlive {
    let idleSeconds: Int32
    let unacknowledgedMilliseconds: UInt32

    init(_ configuration: CurlConfiguration) {
        idleSeconds = Int32(clamping: configuration.keepAliveInterval.components.seconds)
        // The system counts it for connecting too.
        let limit = max(configuration.unacknowledgedTimeout, configuration.connectTimeout)
        unacknowledgedMilliseconds = UInt32(clamping: limit.nanoseconds / 1_000_000)
    }
}
#endif
