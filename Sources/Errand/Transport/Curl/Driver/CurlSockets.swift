#if canImport(CCurl)
import CCurl
import CEvents

/// The sockets and the timer that libcurl waits for. Belongs to the loop's thread.
///
/// libcurl reports each change of the events that it wants for a socket, and is called for sockets with events. The
/// cost of an event thus does not grow with the number of sockets.
final class CurlSockets {
    let multi: OpaquePointer
    let wakeup: Int32
    let queue: Int32
    /// The state of each descriptor, which is the index.
    private(set) var states: [SocketState] = []
    /// The number of connections that are open or being opened.
    private(set) var connectionCount = 0
    /// The connections that were shut down here and that libcurl has not closed yet.
    private var ended: Set<Int32> = []
    var events = [CEvent](repeating: CEvent(), count: 64)
    /// The indexes in ``events`` of the events of the last wait; empty after they were processed.
    var ready = 0..<0
    /// The time at which libcurl's timer expires, in nanoseconds.
    var timer = UInt64.max
    let clock: Monotonic
    private let keepAlive: KeepAlive
    /// libcurl's result code for setting the callbacks. If it is an error, each handle refuses its requests.
    private var callbackResult: Int32 = 0

    /// - Parameters:
    ///   - queue: The event queue; ``close()`` closes it.
    ///   - wakeup: The descriptor that ends a wait; already in the queue.
    init(_ multi: OpaquePointer, queue: Int32, wakeup: Int32, clock: Monotonic, configuration: CurlConfiguration) {
        self.multi = multi
        self.queue = queue
        self.wakeup = wakeup
        self.clock = clock
        keepAlive = KeepAlive(configuration)
        let context = Unmanaged.passUnretained(self).toOpaque()
        callbackResult = ccurl_multi_set_callbacks(
            multi,
            { easy, descriptor, what, context, _ in
                CurlSockets.at(context)?.want(what, of: descriptor, by: easy)
                return 0
            },
            { _, milliseconds, context in
                CurlSockets.at(context)?.setTimer(milliseconds)
                return 0
            }, context)
    }

    /// Closes the queue, after libcurl has closed its sockets.
    func close() {
        _ = cevents_close(queue)
    }

    /// Makes a handle report the sockets that it opens and closes.
    func watchOpening(by handle: CurlHandle) {
        let result = ccurl_set_socket_callbacks(
            handle.easy,
            { context, descriptor, _ in
                let handle = CurlHandle.at(context)
                handle.sockets?.recordOpened(descriptor, by: handle)
                return 0
            }, Unmanaged.passUnretained(handle).toOpaque(),
            { context, descriptor in
                CurlSockets.at(context)?.forgetClosed(descriptor)
                return cevents_close(descriptor)
            }, Unmanaged.passUnretained(self).toOpaque())
        handle.sockets = self
        handle.note(result, of: CCURLOPT_SOCKOPTFUNCTION)
        handle.note(callbackResult, of: CCURLMOPT_SOCKETFUNCTION)
    }

    /// Called by libcurl when it closes a socket.
    private func forgetClosed(_ descriptor: Int32) {
        ended.remove(descriptor)
        change(descriptor) { $0 = SocketState() }
    }

    /// Called by libcurl after it has created a socket, and before it connects the socket.
    private func recordOpened(_ descriptor: Int32, by handle: CurlHandle) {
        cevents_keep_alive(descriptor, keepAlive.idleSeconds, keepAlive.unacknowledgedMilliseconds)
        let origin = CurlOrigin.name(of: handle.latestURL)
        if let transfer = handle.transfer {
            // With this fault, libcurl would not report when it is established.
            if !CurlLibrary.current.has(.sendsUnasked) { transfer.report(.opening) }
            // The transfer may have been settled: libcurl connects again after it could not write to a connection.
            transfer.setUnsettled(true)
        }
        change(descriptor) { state in
            state = SocketState(
                isConnection: true, openingIdentity: cevents_identity(descriptor), opened: clock.now, origin: origin,
                isWire: handle.transfer == nil, isPrivate: true)
        }
    }

    /// The connections that are open or being opened.
    var connections: [(descriptor: Int32, origin: String, isWire: Bool)] {
        states.enumerated().filter(\.element.isConnection).map {
            (Int32($0.offset), $0.element.origin, $0.element.isWire)
        }
    }

    private static func at(_ context: UnsafeMutableRawPointer?) -> CurlSockets? {
        context.map { Unmanaged<CurlSockets>.fromOpaque($0).takeUnretainedValue() }
    }

    /// Shuts down a connection. libcurl owns the descriptor, and detects the shutdown before it uses the connection or,
    /// in newer versions, when it writes.
    func end(_ descriptor: Int32) {
        change(descriptor) { $0.isIdle = false }
        ended.insert(descriptor)
        _ = shutdown(descriptor, Int32(SHUT_RDWR))
    }

    /// Returns whether a connection was shut down here, so that nothing can be sent over it.
    func hasEnded(_ connection: ConnectionID) -> Bool {
        ended.contains { cevents_connects($0, connection.localPort, connection.remotePort) }
    }

    /// Marks the connection of a handle as idle after its transfer has ended, if the connection is still open.
    ///
    /// An HTTP/2 connection is not marked: its server may send frames at any time.
    func markIdleConnection(of handle: CurlHandle) {
        guard let descriptor = handle.descriptor else { return }
        handle.descriptor = nil
        let isMultiplexed = handle.isMultiplexed
        let mustWatch = change(descriptor) { state in
            guard state.isConnection, !state.isWanted else { return false }
            state.openingIdentity = nil
            state.isIdle = !isMultiplexed
            // An idle connection is watched, to notice that the server closes it.
            guard state.isIdle, state.queued != CCURL_POLL_IN else { return false }
            state.queued = CCURL_POLL_IN
            return true
        }
        if mustWatch { _ = cevents_watch(queue, descriptor, true, false) }
    }

    /// Shuts down a connection that was opened before `moment` and received no data since then. Otherwise other
    /// requests would wait for it until they time out.
    ///
    /// Over HTTP/2, libcurl resets only the stream of a transfer that timed out, and keeps using the connection.
    func end(_ connection: ConnectionID, ifSilentSince moment: UInt64) {
        for descriptor in descriptors(of: connection) where lastActivity(on: descriptor) < moment { end(descriptor) }
    }

    /// Returns the time at which a connection was opened, or data last arrived on it; `nil` if it is closed.
    func lastActivity(of connection: ConnectionID) -> UInt64? {
        descriptors(of: connection).map { lastActivity(on: $0) }.min()
    }

    /// Returns the time at which data last arrived on a descriptor, in nanoseconds; 0 if none has arrived.
    func lastReceived(on descriptor: Int32) -> UInt64 { change(descriptor) { $0.lastReceived } }

    /// Returns whether a descriptor is a connection, and not part of a name lookup.
    func isConnection(_ descriptor: Int32) -> Bool { change(descriptor) { $0.isConnection } }

    private func lastActivity(on descriptor: Int32) -> UInt64 {
        change(descriptor) { max($0.opened, $0.lastReceived) }
    }

    /// Returns the descriptors with the ports of a connection. Another host can have the same ports.
    private func descriptors(of connection: ConnectionID) -> [Int32] {
        states.indices.map { Int32($0) }.filter { descriptor in
            states[Int(descriptor)].isConnection
                && cevents_connects(descriptor, connection.localPort, connection.remotePort)
        }
    }

    /// Watches a descriptor for a wire. If neither reading nor writing is wanted, stops watching it until the next
    /// call.
    func watch(_ descriptor: Int32, for wire: CurlWire, isReadable: Bool, isWritable: Bool) {
        let wanted = (isReadable ? CCURL_POLL_IN : 0) | (isWritable ? CCURL_POLL_OUT : 0)
        let (isPrivate, isQueued) = change(descriptor) { state in
            defer { (state.isPrivate, state.queued) = (true, wanted) }
            let isQueued = state.wire === wire && state.queued == wanted
            state.wire = wire
            return (state.isPrivate, isQueued)
        }
        // The descriptor may belong to the socket pair that signals the end of a name lookup.
        if !isPrivate { cevents_set_close_on_exec_pair(descriptor) }
        if isQueued { return }
        if isReadable || isWritable {
            _ = cevents_watch(queue, descriptor, isReadable, isWritable)
        } else {
            // Otherwise the queue would report a failed connection again and again.
            cevents_forget(queue, descriptor)
        }
    }

    /// Records the socket of an established connection that transfers cannot use.
    func note(_ descriptor: Int32, of connection: CurlConnection) {
        let origin = CurlOrigin.name(of: connection.url)
        change(descriptor) { ($0.isConnection, $0.isWire, $0.origin) = (true, true, origin) }
    }

    /// Forgets a descriptor, which other code closes.
    func forget(_ descriptor: Int32) {
        change(descriptor) { $0 = SocketState() }
        cevents_forget(queue, descriptor)
    }

    /// Called by libcurl when it waits for other events of a descriptor, or for none.
    private func want(_ what: Int32, of descriptor: Int32, by easy: OpaquePointer?) {
        let what = Int(what)
        let isWanted = what != CCURL_POLL_REMOVE
        // libcurl's own handles, for lookups over HTTPS, have no context.
        if isWanted, let context = easy.flatMap({ ccurl_get_private($0) }) {
            CurlHandle.at(context).descriptor = descriptor
        }
        // A descriptor that is not a connection belongs to the socket pair that signals the end of a name lookup, or to
        // a lookup over HTTPS.
        if isWanted, !change(descriptor, { $0.isPrivate }) { cevents_set_close_on_exec_pair(descriptor) }
        // libcurl 7.88 to 8.1 does not report that it closes a connection that is not complete. Another thread may have
        // a descriptor of the same number already.
        if !isWanted, isLost(descriptor) { return change(descriptor) { $0 = SocketState() } }
        let mustWatch = change(descriptor) { state in
            state.isWanted = isWanted
            // The closing of other descriptors is not reported, so the number may soon belong to a new one.
            state.isPrivate = isWanted || state.isConnection
            if isWanted { state.isIdle = false }
            // Only for a connection is it known what the queue waits for.
            guard isWanted, !state.isConnection || state.queued != what else { return false }
            state.queued = what
            return true
        }
        if mustWatch { _ = cevents_watch(queue, descriptor, what & CCURL_POLL_IN != 0, what & CCURL_POLL_OUT != 0) }
    }

    /// Returns whether a socket was closed before its connection was complete.
    private func isLost(_ descriptor: Int32) -> Bool {
        guard let identity = change(descriptor, { $0.openingIdentity }) else { return false }
        return cevents_identity(descriptor) != identity
    }

    /// Reads or changes the state of a descriptor, and keeps ``connectionCount`` correct.
    @discardableResult
    func change<Result>(_ descriptor: Int32, _ change: (inout SocketState) -> Result) -> Result {
        while states.count <= descriptor { states.append(SocketState()) }
        let wasConnection = states[Int(descriptor)].isConnection
        defer {
            if states[Int(descriptor)].isConnection != wasConnection { connectionCount += wasConnection ? -1 : 1 }
        }
        return change(&states[Int(descriptor)])
    }

    /// Called by libcurl when it changes its timer; a negative number stops the timer.
    private func setTimer(_ milliseconds: Int) {
        guard milliseconds > 0 else {
            timer = milliseconds == 0 ? 0 : .max
            return
        }
        clock.advance()
        timer = clock.now + UInt64(milliseconds) * 1_000_000
    }
}
#endif
