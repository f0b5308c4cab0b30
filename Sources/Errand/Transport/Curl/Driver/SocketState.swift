#if canImport(CCurl)
/// The state of a descriptor.
struct SocketState {
    /// Whether libcurl wants its events. If not, the descriptor stays registered until an event occurs, because it
    /// usually is a connection between two requests.
    var isWanted = false
    /// Whether it is a connection.
    var isConnection = false
    /// The identity of the socket from its opening to the end of the first transfer over it; `nil` after that.
    var openingIdentity: UInt64?
    /// Whether it is a connection between two requests, on which no data may arrive: in HTTP/1, a server
    /// responds only to a request.
    var isIdle = false
    /// The time at which the connection was begun, in nanoseconds.
    var opened: UInt64 = 0
    /// The time at which data last arrived, in nanoseconds.
    var lastReceived: UInt64 = 0
    /// The events that the queue waits for; certain only for a connection. libcurl does not report that it closes
    /// another descriptor, whose number may then belong to one that the queue does not watch.
    var queued = 0
    /// The wire that uses the descriptor, if it does not belong to a transfer.
    var wire: CurlWire?
    /// The origin of a connection.
    var origin = ""
    /// Whether it is a connection that transfers cannot use.
    var isWire = false
    /// Whether child processes do not inherit the descriptor.
    var isPrivate = false
}

/// The keep-alive settings with which the system detects a lost peer.
struct KeepAlive {
    let idleSeconds: Int32
    let unacknowledgedMilliseconds: UInt32

    init(_ configuration: CurlConfiguration) {
        idleSeconds = Int32(clamping: configuration.keepAliveInterval.bounded.components.seconds)
        // `TCP_USER_TIMEOUT` also limits the time for connecting.
        let limit = max(configuration.unacknowledgedTimeout, configuration.connectTimeout)
        unacknowledgedMilliseconds = UInt32(clamping: limit.nanoseconds / 1_000_000)
    }
}
#endif
