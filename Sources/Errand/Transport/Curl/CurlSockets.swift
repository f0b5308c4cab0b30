#if canImport(CCurl)
import CCurl
import CEvents

/// What libcurl waits for: its sockets, and its timer. Belongs to the loop's thread.
///
/// libcurl says what it wants of a socket whenever that changes, and is called for those alone where something happened,
/// however many there are.
final class CurlSockets {
    private let multi: OpaquePointer
    private let bell: Int32
    private let queue: Int32
    private var states: [State] = []
    private var events = [CEvent](repeating: CEvent(), count: 64)
    /// Which of them the last wait has filled in, until they are acted on.
    private var ready = 0..<0
    /// When libcurl wants to be called whatever happens, in nanoseconds.
    private(set) var timer = UInt64.max
    private let clock: Monotonic

    /// What is known of a descriptor.
    private struct State {
        /// Whether libcurl waits for it. One that it does not wait for stays in the queue as long as nothing happens to
        /// it: it mostly is a connection between two requests.
        var isWanted = false
        /// Whether libcurl tells when it is closed, so that what the queue knows of it is known here too.
        var isConnection = false
        /// Whether it is a connection that stands between two requests, where nothing may come: HTTP/1 has no answer
        /// without a request.
        var isIdle = false
        /// What the queue waits for, as far as that is known.
        var queued = 0
        /// Whose it is, where it is not a transfer's.
        var wire: CurlWire?
    }

    /// - Parameters:
    ///   - queue: What to wait with; closed by ``close()``.
    ///   - bell: What ends a wait; in the queue already.
    init(_ multi: OpaquePointer, queue: Int32, bell: Int32, clock: Monotonic) {
        self.multi = multi
        self.queue = queue
        self.bell = bell
        self.clock = clock
        let context = Unmanaged.passUnretained(self).toOpaque()
        ccurl_multi_set_callbacks(
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
        ccurl_set_socket_callbacks(
            handle.easy,
            { context, descriptor, _ in
                cevents_keep_from_programs(descriptor)
                CurlSockets.at(context)?.change(descriptor) { $0 = State(isConnection: true) }
                return 0
            },
            { context, descriptor in
                CurlSockets.at(context)?.change(descriptor) { $0 = State() }
                return cevents_close(descriptor)
            }, Unmanaged.passUnretained(self).toOpaque())
    }

    private static func at(_ context: UnsafeMutableRawPointer?) -> CurlSockets? {
        context.map { Unmanaged<CurlSockets>.fromOpaque($0).takeUnretainedValue() }
    }

    /// Calls libcurl when its time has come; that is at once for what has just been added.
    func keepTime() {
        guard timer <= clock.now else { return }
        // What was added may use a connection that something has come over since.
        wait(0)
        act()
        guard timer <= clock.now else { return }
        timer = .max
        ccurl_multi_socket_action(multi, Int32(CCURL_SOCKET_TIMEOUT), 0)
    }

    /// Waits until something happens, the bell rings, or so many nanoseconds have passed.
    func wait(_ nanoseconds: UInt64) {
        // A second at most, in case that a clock is wrong.
        let milliseconds = Int32(min((nanoseconds + 999_999) / 1_000_000, 1000))
        let count = cevents_wait(queue, &events, Int32(events.count), milliseconds)
        clock.advance()
        ready = 0..<max(Int(count), 0)
    }

    /// Has libcurl do its work wherever something has happened.
    func act() {
        defer { ready = 0..<0 }
        // First of all, so that nothing that libcurl begins below goes out over one of these.
        for index in ready where events[index].descriptor != bell { endIdle(events[index]) }
        for index in ready where events[index].descriptor != bell { act(on: events[index]) }
    }

    /// Ends an idle connection over which something has come: its end, or an answer that nobody asked for, which libcurl
    /// 7.88 would take for that of the next request (RFC 9112, section 9.2).
    private func endIdle(_ event: CEvent) {
        guard states[Int(event.descriptor)].isIdle, event.is_readable || event.has_failed else { return }
        change(event.descriptor) { $0.isIdle = false }
        // The descriptor is libcurl's, which finds the connection dead before it uses it.
        _ = shutdown(event.descriptor, Int32(SHUT_RDWR))
    }

    /// The transfer of a handle is over, and its connection is idle, if it still stands.
    ///
    /// Over HTTP/2 a server may always say something, and what it says belongs to a stream.
    func transferIsOver(of handle: CurlHandle) {
        guard let descriptor = handle.descriptor else { return }
        handle.descriptor = nil
        let isMultiplexed = handle.isSecure && handle.long(CCURLINFO_HTTP_VERSION) >= CCURL_HTTP_VERSION_2_0
        let isUnwatched = change(descriptor) { state in
            state.isIdle = state.isConnection && !state.isWanted && !isMultiplexed
            guard state.isIdle, state.queued != CCURL_POLL_IN else { return false }
            state.queued = CCURL_POLL_IN
            return true
        }
        if isUnwatched { _ = cevents_watch(queue, descriptor, true, false) }
    }

    private func act(on event: CEvent) {
        if let wire = states[Int(event.descriptor)].wire { return wire.act(on: event) }
        guard states[Int(event.descriptor)].isWanted else {
            change(event.descriptor) { $0.queued = 0 }
            return cevents_forget(queue, event.descriptor)
        }
        var what = event.is_readable || event.has_failed ? CCURL_CSELECT_IN : 0
        if event.is_writable || event.has_failed { what |= CCURL_CSELECT_OUT }
        ccurl_multi_socket_action(multi, event.descriptor, Int32(what))
    }

    /// Waits for so much of a descriptor on behalf of a wire; for nothing, until it is asked again.
    func watch(_ descriptor: Int32, for wire: CurlWire, isReadable: Bool, isWritable: Bool) {
        change(descriptor) { $0.wire = wire }
        if isReadable || isWritable {
            _ = cevents_watch(queue, descriptor, isReadable, isWritable)
        } else {
            // What is broken would be told of again and again.
            cevents_forget(queue, descriptor)
        }
    }

    /// Has nothing to do with a descriptor any more, which somebody else closes.
    func forget(_ descriptor: Int32) {
        change(descriptor) { $0 = State() }
        cevents_forget(queue, descriptor)
    }

    private func want(_ what: Int32, of descriptor: Int32, by easy: OpaquePointer?) {
        let what = Int(what)
        let isWanted = what != CCURL_POLL_REMOVE
        // A wire's handle has no context: it has its connection for itself.
        if isWanted, let context = easy.flatMap({ ccurl_get_private($0) }) {
            CurlHandle.at(context).descriptor = descriptor
        }
        let isQueued = change(descriptor) { state in
            state.isWanted = isWanted
            if isWanted { state.isIdle = false }
            guard isWanted, !state.isConnection || state.queued != what else { return true }
            state.queued = what
            return false
        }
        if !isQueued { _ = cevents_watch(queue, descriptor, what & CCURL_POLL_IN != 0, what & CCURL_POLL_OUT != 0) }
    }

    @discardableResult
    private func change<Result>(_ descriptor: Int32, _ change: (inout State) -> Result) -> Result {
        while states.count <= descriptor { states.append(State()) }
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
