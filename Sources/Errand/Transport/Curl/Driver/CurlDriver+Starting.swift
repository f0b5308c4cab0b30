#if canImport(CCurl)
import CCurl

// The start of transfers and other connections. A transfer waits in ``names`` for the addresses of its host, then in
// ``pool`` for its turn. Whenever a transfer begins to wait or to run, ``nextDeadline`` becomes its deadline if that is
// earlier.
extension CurlDriver {
    /// Handles a transfer that was submitted.
    mutating func admit(_ transfer: CurlTransfer) {
        if transfer.isCancelledBeforeStart { return transfer.refuse() }
        transfer.submitted(to: CurlTransfer.Place(clock: clock, round: round), configuration)
        transfers.add(transfer)
        startOrQueue(transfer)
        startWaiting()
    }

    /// Starts a transfer, or makes it wait for the addresses of its host or for a connection.
    mutating func startOrQueue(_ transfer: CurlTransfer) {
        switch names.find(transfer.exchange.url, for: .transfer(transfer), clock.now) {
        case .notNeeded: startOrQueue(transfer, resolving: nil)
        case .entry(let entry): startOrQueue(transfer, resolving: entry)
        case .waiting(let end): nextDeadline = min(nextDeadline, deadline(of: transfer), end)
        }
    }

    /// Starts a transfer whose host has addresses, or makes it wait for a connection.
    ///
    /// - Parameter entry: The addresses of the host, if libcurl does not look them up itself.
    private mutating func startOrQueue(_ transfer: CurlTransfer, resolving entry: String?) {
        transfer.hostEntries = entry.map { [$0] } ?? []
        transfer.exchange.times.queue(clock.now)
        pool.submit(transfer.number, to: transfer.exchange.url, transfer.exchange.request.priority, clock.now)
        nextDeadline = min(nextDeadline, deadline(of: transfer))
    }

    /// Configures a handle for the transfer and gives it to libcurl, which begins in its next call.
    private mutating func begin(_ start: CurlPool.Start) {
        let transfer = transfers[start.request]
        let handle = handles.take()
        do {
            try transfer.attach(handle, start, engine: engine, maximumHeadSize: configuration.maximumHeadSize)
        } catch {
            handle.transfer = nil
            transfer.exchange.upload?.cancel()
            handles.give(back: handle)
            return end(transfer, with: error)
        }
        transfers.start(transfer)
        nextDeadline = min(nextDeadline, transfer.exchange.times.next)
        let result = ccurl_multi_add(multi, handle.easy)
        // Adding a handle fails only if memory runs out; a handle that is already in use would be a bug in this loop.
        if result != CCURLM_OK { return end(transfer, with: CurlOutcome(failure: .resourceUnavailable)) }
        // Makes libcurl act on the transfer now, and not in its next call. Otherwise, each transfer of a burst could
        // open a connection. The timer expires at once when a transfer is added.
        if start.usesStreams {
            sockets.actOnTimer()
            reportToPool()
        }
    }

    /// Continues a response whose reader has room again.
    mutating func resumeBody(of transfer: CurlTransfer) {
        transfer.resumeBody()
        guard transfer.handle != nil else { return }
        // While the reader paused the transfer, only the total deadline applied.
        nextDeadline = min(nextDeadline, transfer.exchange.times.next)
        unpause(transfer)
    }

    /// Continues a transfer that has waited for the decision about its redirect.
    mutating func resume(_ transfer: CurlTransfer, after decision: Result<RedirectChain?, any Error>) {
        guard !transfer.isOver, !transfer.isDone else { return }
        transfer.take(decision)
        if let outcome = transfer.exchange.outcomeBeforeDecision {
            transfer.exchange.outcomeBeforeDecision = nil
            end(transfer, with: outcome)
        } else {
            nextDeadline = min(nextDeadline, transfer.exchange.times.next)
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
        if transfer.exchange.failure != nil { return end(transfer, with: CurlOutcome(failure: .unknown)) }
        clock.advance()
        let result = ccurl_easy_pause(handle.easy, Int32(CCURLPAUSE_CONT))
        let isFailure = result == CCURLE_WRITE_ERROR || result != CCURLE_OK && transfer.exchange.hop.head.isWhole
        if isFailure { end(transfer, with: CurlOutcome(code: result, of: handle)) }
    }

    /// Ends a transfer whose request could not be started.
    private mutating func end(_ transfer: CurlTransfer, with error: any Error) {
        transfer.exchange.failure = error
        end(transfer, with: CurlOutcome(failure: .unknown))
    }

    /// Cancels a transfer. If the task was already cancelled, this command arrives before the start command, when the
    /// transfer has no continuation yet.
    mutating func cancel(_ transfer: CurlTransfer) {
        if transfer.isSubmitted {
            end(transfer, with: CurlOutcome(failure: .cancelled))
        } else {
            transfer.isCancelledBeforeStart = true
        }
    }

    /// Starts the transfers for which there is room.
    mutating func startWaiting() {
        while let next = pool.next(connections: sockets.connectionCount, clock.now) { begin(next) }
    }
}

// Connections that do not belong to a transfer.
extension CurlDriver {
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
extension CurlDriver {
    /// Starts, or ends with an error, the transfers and connections that waited for addresses.
    mutating func continueAfterLookup(_ waiters: [(CurlHostLookups.Waiter, Result<String, any Error>)]) {
        for (waiter, result) in waiters {
            switch (waiter, result) {
            case (.transfer(let transfer), _) where transfer.isOver || transfer.isDone: break
            case (.transfer(let transfer), .success(let entry)): startOrQueue(transfer, resolving: entry)
            case (.transfer(let transfer), .failure(let error)): end(transfer, with: error)
            case (.connection(let connection), .success(let entry)): connect(connection, resolving: entry)
            case (.connection(let connection), .failure(let error)): connection.end(.failure(error))
            }
        }
        startWaiting()
    }
}
#endif
