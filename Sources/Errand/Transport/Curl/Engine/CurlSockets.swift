#if canImport(CCurl)
import CCurl
import CEvents

/// What libcurl waits for: its sockets, and its timer. Belongs to the loop's thread.
///
/// libcurl says what it wants of a socket whenever that changes, and is called for those alone where something happened,
/// however many there are.
final class CurlSockets {
    let multi: OpaquePointer
    let bell: Int32
    let queue: Int32
    private(set) var states: [SocketState] = []
    /// The connections that were ended here, until libcurl closes them.
    private var ended: Set<Int32> = []
    var events = [CEvent](repeating: CEvent(), count: 64)
    /// Which of them the last wait has filled in, until they are acted on.
    var ready = 0..<0
    /// When libcurl wants to be called whatever happens, in nanoseconds.
    var timer = UInt64.max
    let clock: Monotonic
    private let keepAlive: KeepAlive
    /// What libcurl said when it was given the callbacks.
    private var callbackResult: Int32 = 0

    /// - Parameters:
    ///   - queue: What to wait with; closed by ``close()``.
    ///   - bell: What ends a wait; in the queue already.
    init(_ multi: OpaquePointer, queue: Int32, bell: Int32, clock: Monotonic, configuration: CurlConfiguration) {
        self.multi = multi
        self.queue = queue
        self.bell = bell
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

    /// Lets go of the queue, once libcurl has closed its sockets.
    func close() {
        _ = cevents_close(queue)
    }

    /// Has a handle tell of the sockets that it opens and closes.
    func watchOpening(by handle: CurlHandle) {
        let result = ccurl_set_socket_callbacks(
            handle.easy,
            { context, descriptor, _ in
                let handle = CurlHandle.at(context)
                handle.sockets?.open(descriptor, by: handle)
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

    private func forgetClosed(_ descriptor: Int32) {
        ended.remove(descriptor)
        change(descriptor) { $0 = SocketState() }
    }

    private func open(_ descriptor: Int32, by handle: CurlHandle) {
        cevents_keep_alive(descriptor, keepAlive.idleSeconds, keepAlive.unacknowledgedMilliseconds)
        let origin = CurlOrigin.name(of: handle.latestURL)
        if let transfer = handle.transfer { transfer.origin?.connects(transfer) }
        change(descriptor) { state in
            state = SocketState(
                isConnection: true, lastReceived: clock.now, origin: origin, isWire: handle.transfer == nil,
                isPrivate: true)
        }
    }

    /// All connections that are open, or being opened.
    var connections: [(descriptor: Int32, origin: String, isWire: Bool)] {
        states.enumerated().filter(\.element.isConnection).map {
            (Int32($0.offset), $0.element.origin, $0.element.isWire)
        }
    }

    private static func at(_ context: UnsafeMutableRawPointer?) -> CurlSockets? {
        context.map { Unmanaged<CurlSockets>.fromOpaque($0).takeUnretainedValue() }
    }

    /// Ends a connection. Its descriptor is libcurl's, which finds it dead before it uses it or, in newer versions, when it writes.
    func end(_ descriptor: Int32) {
        change(descriptor) { $0.isIdle = false }
        ended.insert(descriptor)
        _ = shutdown(descriptor, Int32(SHUT_RDWR))
    }

    /// Whether a connection was ended here, so that nothing can be sent over it.
    func hasEnded(_ connection: ConnectionID) -> Bool {
        ended.contains { cevents_connects($0, connection.localPort, connection.remotePort) }
    }

    /// The transfer of a handle is over, and its connection is idle, if it still stands.
    ///
    /// Over HTTP/2 a server may always say something, and what it says belongs to a stream.
    func transferIsOver(of handle: CurlHandle) {
        guard let descriptor = handle.descriptor else { return }
        handle.descriptor = nil
        let isMultiplexed = handle.isMultiplexed
        let isUnwatched = change(descriptor) { state in
            state.isIdle = state.isConnection && !state.isWanted && !isMultiplexed
            guard state.isIdle, state.queued != CCURL_POLL_IN else { return false }
            state.queued = CCURL_POLL_IN
            return true
        }
        if isUnwatched { _ = cevents_watch(queue, descriptor, true, false) }
    }

    /// Ends a connection over which nothing has come since a moment, so that no other request waits for it in vain.
    ///
    /// Over HTTP/2, libcurl ends the one stream of a late transfer and goes on using the connection. The descriptor is
    /// libcurl's, which finds the connection dead.
    func end(_ connection: ConnectionID, ifSilentSince moment: UInt64) {
        for descriptor in silent(connection, since: moment) { end(descriptor) }
    }

    /// Whether nothing has come over a connection since a moment.
    func isSilent(_ connection: ConnectionID, since moment: UInt64) -> Bool {
        !silent(connection, since: moment).isEmpty
    }

    private func silent(_ connection: ConnectionID, since moment: UInt64) -> [Int32] {
        states.enumerated().filter { descriptor, state in
            state.isConnection && state.lastReceived < moment
                && cevents_connects(Int32(descriptor), connection.localPort, connection.remotePort)
        }.map { Int32($0.offset) }
    }

    /// Waits for so much of a descriptor on behalf of a wire; for nothing, until it is asked again.
    func watch(_ descriptor: Int32, for wire: CurlWire, isReadable: Bool, isWritable: Bool) {
        let isPrivate = change(descriptor) { state in
            defer { state.isPrivate = true }
            state.wire = wire
            return state.isPrivate
        }
        // As for a transfer: it may be one of the pair by which a name lookup tells of its end.
        if !isPrivate { cevents_keep_pair_from_programs(descriptor) }
        if isReadable || isWritable {
            _ = cevents_watch(queue, descriptor, isReadable, isWritable)
        } else {
            // What is broken would be told of again and again.
            cevents_forget(queue, descriptor)
        }
    }

    /// Has nothing to do with a descriptor any more, which somebody else closes.
    func forget(_ descriptor: Int32) {
        change(descriptor) { $0 = SocketState() }
        cevents_forget(queue, descriptor)
    }

    private func want(_ what: Int32, of descriptor: Int32, by easy: OpaquePointer?) {
        let what = Int(what)
        let isWanted = what != CCURL_POLL_REMOVE
        // A wire's handle has no context: it has its connection for itself.
        if isWanted, let context = easy.flatMap({ ccurl_get_private($0) }) {
            CurlHandle.at(context).descriptor = descriptor
        }
        // What is no connection is a pair of sockets by which the thread of a name lookup tells of its end, or belongs to a
        // lookup over HTTPS.
        if isWanted, !change(descriptor, { $0.isPrivate }) { cevents_keep_pair_from_programs(descriptor) }
        let isQueued = change(descriptor) { state in
            state.isWanted = isWanted
            state.isPrivate = isWanted || state.isConnection
            if isWanted { state.isIdle = false }
            guard isWanted, !state.isConnection || state.queued != what else { return true }
            state.queued = what
            return false
        }
        if !isQueued { _ = cevents_watch(queue, descriptor, what & CCURL_POLL_IN != 0, what & CCURL_POLL_OUT != 0) }
    }

    @discardableResult
    func change<Result>(_ descriptor: Int32, _ change: (inout SocketState) -> Result) -> Result {
        while states.count <= descriptor { states.append(SocketState()) }
        return change(&states[Int(descriptor)])
    }

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
