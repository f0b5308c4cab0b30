#if canImport(CCurl)
import CCurl

// The start of transfers and other connections. A transfer waits in ``names`` for the addresses of its host, then in
// ``admission`` for a connection. After that, it is in ``running``. Whenever a transfer begins to wait or to run,
// ``nextDeadline`` becomes its deadline if that is earlier.
extension CurlLoop {
    /// Handles a transfer that was submitted.
    mutating func admit(_ transfer: CurlTransfer) {
        if transfer.isCancelledBeforeStart { return transfer.refuse() }
        transfer.submitted(
            clock, round, defaultTimeout: configuration.resourceTimeout.nanoseconds,
            connectTimeout: configuration.connectTimeout.nanoseconds)
        startOrQueue(transfer)
    }

    /// Starts a transfer, or makes it wait for the addresses of its host or for a connection.
    mutating func startOrQueue(_ transfer: CurlTransfer) {
        switch names.find(transfer.url, for: .transfer(transfer), clock.now) {
        case .notNeeded: startOrQueue(transfer, resolving: nil)
        case .entry(let entry): startOrQueue(transfer, resolving: entry)
        case .waiting(let deadline): nextDeadline = min(nextDeadline, transfer.nextDeadline, deadline)
        }
    }

    /// Starts a transfer whose host has addresses, or makes it wait for a connection.
    ///
    /// - Parameter entry: The addresses of the host, if libcurl does not look them up itself.
    private mutating func startOrQueue(_ transfer: CurlTransfer, resolving entry: String?) {
        transfer.hostEntries = entry.map { [$0] } ?? []
        transfer.times.queue(clock.now)
        if admission.admit(transfer, to: transfer.url) {
            start(transfer)
        } else {
            nextDeadline = min(nextDeadline, transfer.nextDeadline)
        }
    }

    /// Configures a handle for the transfer and gives it to libcurl, which begins in its next call.
    mutating func start(_ transfer: CurlTransfer) {
        let handle = handles.take()
        if let origin = transfer.origin {
            // Keeps libcurl's tables of hosts small.
            let use = recentHosts.use(origin.name, admission)
            // If there are many connections, the connection to a new host is closed after the transfer, because it is
            // the least likely to be used again. A connection to a proxy is used for many hosts.
            transfer.isFirstToHost = use.isFirst && !handles.mayUseProxy
            transfer.hostEntries += use.removals
        }
        do {
            try transfer.attach(handle, engine: engine, maximumHeadSize: configuration.maximumHeadSize)
        } catch {
            handle.transfer = nil
            transfer.upload?.cancel()
            handles.give(back: handle)
            admission.release(transfer)
            return transfer.end(failure: error)
        }
        transfer.slot = running.count
        running.append(transfer)
        nextDeadline = min(nextDeadline, transfer.nextDeadline)
        let result = ccurl_multi_add(multi, handle.easy)
        // Adding a handle fails only if memory runs out; a handle that is already in use would be a bug in this loop.
        if result != CCURLM_OK { return finish(transfer, CurlOutcome(failure: .resourceUnavailable)) }
        if let origin = transfer.origin, origin.sharing == .streams { startAtOnce(transfer, to: origin) }
    }

    /// Makes libcurl start a transfer immediately, and not in its next call. This shows whether a connection has room
    /// for the transfer. Otherwise, each transfer of a burst could open a connection.
    private mutating func startAtOnce(_ transfer: CurlTransfer, to origin: CurlOrigin) {
        // The timer expires at once when a transfer is added.
        sockets.actOnTimer()
        // If libcurl now opens a connection for this transfer, the origin admits no more transfers than are active
        // (`CurlOrigin.noteConnecting`). Those that libcurl has completed must not be counted among the active ones.
        takeDone()
        origin.reduceCapacity(by: done.count { $0.transfer.origin === origin }, for: transfer)
    }

    /// Continues a response whose reader has room again.
    mutating func resumeBody(of transfer: CurlTransfer) {
        transfer.times.isPaused = false
        guard transfer.handle != nil else { return }
        transfer.touch()
        // While the reader paused the transfer, only the total deadline applied.
        nextDeadline = min(nextDeadline, transfer.nextDeadline)
        unpause(transfer)
    }

    /// Continues a transfer that has waited for the decision about its redirect.
    mutating func resume(_ transfer: CurlTransfer, after decision: Result<RedirectChain?, any Error>) {
        guard !transfer.isOver else { return }
        transfer.take(decision)
        if let outcome = transfer.outcomeBeforeDecision {
            transfer.outcomeBeforeDecision = nil
            finish(transfer, outcome)
        } else {
            nextDeadline = min(nextDeadline, transfer.nextDeadline)
            unpause(transfer)
        }
    }

    /// Lets libcurl read and send for a transfer again. Does nothing after libcurl has reported its end.
    ///
    /// libcurl gives the transfer the data that it kept. If the transfer refuses the data, or a trailer in it is
    /// invalid, libcurl reports this here and nowhere else. Before the head has arrived, another code than a write
    /// error means that the connection is missing. The loop ignores it.
    mutating func unpause(_ transfer: CurlTransfer) {
        guard let handle = transfer.handle, !transfer.isDone else { return }
        // A callback that cannot end the transfer itself has set its failure, which the caller receives in place of the
        // code.
        if transfer.failure != nil { return finish(transfer, CurlOutcome(failure: .unknown)) }
        clock.advance()
        let result = ccurl_easy_pause(handle.easy, Int32(CCURLPAUSE_CONT))
        let isFailure = result == CCURLE_WRITE_ERROR || result != CCURLE_OK && transfer.hop.head.isWhole
        if isFailure { finish(transfer, CurlOutcome(code: result, of: handle)) }
    }

    /// Cancels a transfer. If the task was already cancelled, this command arrives before the start command, when the
    /// transfer has no continuation yet.
    mutating func cancel(_ transfer: CurlTransfer) {
        if transfer.isSubmitted {
            finish(transfer, CurlOutcome(failure: .cancelled))
        } else {
            transfer.isCancelledBeforeStart = true
        }
    }

    /// Starts the waiting transfers for which there is room.
    mutating func startWaiting() {
        while let next = admission.next(clock.now) { start(next) }
    }
}

// Connections that do not belong to a transfer.
extension CurlLoop {
    /// Begins to open a connection, or makes it wait for the addresses of its host.
    mutating func connect(_ connection: CurlConnection) {
        switch names.find(connection.url, for: .connection(connection), clock.now) {
        case .notNeeded: connect(connection, resolving: nil)
        case .entry(let entry): connect(connection, resolving: entry)
        case .waiting(let deadline): nextDeadline = min(nextDeadline, deadline)
        }
    }

    private mutating func connect(_ connection: CurlConnection, resolving entry: String?) {
        guard !connection.isClosing else { return }
        let handle = handles.makeConnecting(to: connection.url, resolving: entry)
        if let refusal = handle.refusal { return connection.end(.failure(refusal)) }
        guard let wire = CurlWire(connection, handle: handle, sockets: sockets, clock: clock) else {
            return connection.end(.failure(URLError(.resourceUnavailable)))
        }
        wires[ObjectIdentifier(connection)] = wire
        connecting.append(wire)
    }

    /// Calls libcurl for connections whose timers have expired. Removes those that failed from ``wires``, and keeps
    /// only those that are not established yet in ``connecting``.
    mutating func attendToConnecting() {
        guard !connecting.isEmpty else { return }
        for wire in connecting {
            wire.keepTime()
            if wire.isOver { wires[wire.key] = nil }
        }
        connecting.removeAll { !$0.isConnecting }
    }
}

// Continuation after a name lookup.
extension CurlLoop {
    /// Starts, or ends with an error, the transfers and connections that waited for addresses.
    mutating func continueAfterLookup(_ waiters: [(CurlHostLookups.Waiter, Result<String, any Error>)]) {
        for (waiter, result) in waiters {
            switch (waiter, result) {
            case (.transfer(let transfer), _) where transfer.isOver: break
            case (.transfer(let transfer), .success(let entry)): startOrQueue(transfer, resolving: entry)
            case (.transfer(let transfer), .failure(let error)): transfer.end(failure: error)
            case (.connection(let connection), .success(let entry)): connect(connection, resolving: entry)
            case (.connection(let connection), .failure(let error)): connection.end(.failure(error))
            }
        }
    }
}
#endif
