#if canImport(CCurl)
import CCurl
import CEvents

// Waiting for events, and calls to libcurl for them. The clock is read before each call for transfers, because the
// callbacks use its time.
extension CurlSockets {
    /// Calls libcurl if its timer has expired. The timer expires at once when a transfer is added.
    ///
    /// - Parameter transfers: The transfers that are running.
    func keepTime(_ transfers: [CurlTransfer]) {
        guard timer <= clock.now else { return }
        // A new transfer may use a connection on which data has arrived in the meantime.
        actOnAll(transfers)
        if timer <= clock.now { actOnTimer() }
    }

    /// Makes libcurl do what is due, which includes starting the transfers that were just added.
    func actOnTimer() {
        timer = .max
        clock.advance()
        ccurl_multi_socket_action(multi, Int32(CCURL_SOCKET_TIMEOUT), 0)
    }

    /// Makes libcurl check all of its transfers, even those without an event.
    func look() {
        clock.advance()
        ccurl_multi_socket_all(multi)
    }

    /// Waits for an event, a wake-up or a timeout in nanoseconds.
    func wait(_ nanoseconds: UInt64) {
        // Rounded up, and at most one day.
        let milliseconds = Int32((min(nanoseconds, 86_400_000_000_000) + 999_999) / 1_000_000)
        let count = cevents_wait(queue, &events, Int32(events.count), milliseconds)
        clock.advance()
        ready = 0..<max(Int(count), 0)
    }

    /// Makes libcurl process all pending events, in at most 64 rounds.
    func actOnAll(_ transfers: [CurlTransfer]) {
        // The limit prevents a peer that never stops sending from blocking the loop.
        for _ in 0..<64 {
            wait(0)
            let mayHaveMore = ready.count == events.count
            act(transfers)
            if !mayHaveMore { return }
        }
    }

    /// Makes libcurl process the events of the last wait.
    ///
    /// - Parameter transfers: The transfers that are running.
    func act(_ transfers: [CurlTransfer]) {
        defer { ready = 0..<0 }
        // Unusable idle connections end first, so that no transfer that libcurl starts below uses one of them.
        for index in ready where events[index].descriptor != wakeup { endIdle(events[index], transfers) }
        for index in ready where events[index].descriptor != wakeup { act(on: events[index]) }
    }

    /// Shuts down an idle connection on which the server has closed its side or sent data. libcurl 7.88 would treat
    /// this data as the response to the next request (RFC 9112, section 9.2).
    private func endIdle(_ event: CEvent, _ transfers: [CurlTransfer]) {
        let state = states[Int(event.descriptor)]
        guard state.isIdle, event.is_readable || event.has_failed else { return }
        // libcurl does not report the socket of a transfer that was paused in its first call.
        if transfers.contains(where: { $0.mightUse(event.descriptor, of: state.origin) }) {
            change(event.descriptor) { $0.isIdle = false }
        } else {
            end(event.descriptor)
        }
    }

    private func act(on event: CEvent) {
        if let wire = states[Int(event.descriptor)].wire { return wire.act(on: event) }
        guard states[Int(event.descriptor)].isWanted else {
            change(event.descriptor) { $0.queued = 0 }
            return cevents_forget(queue, event.descriptor)
        }
        clock.advance()
        // Received data is read before anything is sent, because sending may make the system discard it: see
        // ``CurlTransfer/read(into:)``.
        let isReadable = event.is_readable || (event.is_writable && cevents_is_readable(event.descriptor))
        if isReadable { change(event.descriptor) { $0.lastReceived = clock.now } }
        var what = isReadable || event.has_failed ? CCURL_CSELECT_IN : 0
        if event.is_writable || event.has_failed { what |= CCURL_CSELECT_OUT }
        ccurl_multi_socket_action(multi, event.descriptor, Int32(what))
    }
}
#endif
