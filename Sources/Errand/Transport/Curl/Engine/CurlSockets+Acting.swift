#if canImport(CCurl)
import CCurl
import CEvents

// Waiting, and libcurl's turn where something has happened.
extension CurlSockets {
    /// Calls libcurl when its time has come; that is at once for what has just been added.
    func keepTime() {
        guard timer <= clock.now else { return }
        // What was added may use a connection that something has come over since.
        actOnAll()
        guard timer <= clock.now else { return }
        begin()
    }

    /// Has libcurl begin what was just added.
    func begin() {
        timer = .max
        ccurl_multi_socket_action(multi, Int32(CCURL_SOCKET_TIMEOUT), 0)
    }

    /// Has libcurl look at everything that it has under way, also where nothing has happened.
    func look() {
        ccurl_multi_socket_all(multi)
    }

    /// Waits until something happens, the bell rings, or so many nanoseconds have passed.
    func wait(_ nanoseconds: UInt64) {
        // Rounded up; nothing waits longer than a day.
        let milliseconds = Int32((min(nanoseconds, 86_400_000_000_000) + 999_999) / 1_000_000)
        let count = cevents_wait(queue, &events, Int32(events.count), milliseconds)
        clock.advance()
        ready = 0..<max(Int(count), 0)
    }

    /// Has libcurl do its work wherever something has happened by now, however many sockets that are.
    func actOnAll() {
        // A peer that never stops sending has its turn, and no more.
        for _ in 0..<64 {
            wait(0)
            let isFull = ready.count == events.count
            act()
            if !isFull { return }
        }
    }

    /// Has libcurl do its work wherever something has happened.
    func act() {
        defer { ready = 0..<0 }
        // First of all, so that nothing that libcurl begins below goes out over one of these.
        for index in ready where events[index].descriptor != bell { endIdle(events[index]) }
        for index in ready where events[index].descriptor != bell { act(on: events[index]) }
    }

    /// Ends an idle connection on which the server has closed its side or sent data. libcurl 7.88 would take this data for the
    /// response to the next request (RFC 9112, section 9.2).
    private func endIdle(_ event: CEvent) {
        guard states[Int(event.descriptor)].isIdle, event.is_readable || event.has_failed else { return }
        end(event.descriptor)
    }

    private func act(on event: CEvent) {
        if let wire = states[Int(event.descriptor)].wire { return wire.act(on: event) }
        guard states[Int(event.descriptor)].isWanted else {
            change(event.descriptor) { $0.queued = 0 }
            return cevents_forget(queue, event.descriptor)
        }
        // What has come since is read before anything is sent, which may make the system forget it: see ``CurlTransfer/read(into:)``.
        let isReadable = event.is_readable || (event.is_writable && cevents_is_readable(event.descriptor))
        if isReadable { change(event.descriptor) { $0.lastReceived = clock.now } }
        var what = isReadable || event.has_failed ? CCURL_CSELECT_IN : 0
        if event.is_writable || event.has_failed { what |= CCURL_CSELECT_OUT }
        ccurl_multi_socket_action(multi, event.descriptor, Int32(what))
    }
}
#endif
