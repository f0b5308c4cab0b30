#if canImport(CCurl)
import CCurl

// How transfers end.
extension CurlLoop {
    mutating func finishWhatIsDone() {
        // libcurl reads the clock for itself: what it has just seen must not lie after the end.
        clock.advance()
        settle()
        for (transfer, sharing) in round.takeConnected() { admission.connected(transfer, sharing: sharing) }
        startWaiting()
        if round.hasNewDeadline {
            round.hasNewDeadline = false
            nextDeadline = min(nextDeadline, clock.now + TransferTimes.earlyAnswerGrace)
        }
        guard clock.now >= nextDeadline else { return }
        // After a pause, of the process or of this thread, what has come in time may still wait to be read.
        sockets.actOnAll()
        settle()
        endWhatIsLate()
    }

    /// Ends what libcurl is done with, or need not go on with.
    mutating func settle() {
        round.handOverBodies()
        takeDone()
        var index = 0
        // What is found out about one may bring about the end of others.
        while index < done.count {
            let transfer = done[index].transfer
            if done[index].outcome.kind == .success, transfer.isCutInTLS || isCutShort(transfer) {
                done[index].outcome = .cutShort
            }
            index += 1
        }
        let ended = done
        done.removeAll(keepingCapacity: true)
        // One that was ended for another reason meanwhile may be at its next hop by now.
        for (transfer, outcome) in ended where transfer.isDone { finish(transfer, outcome) }
        // The same holds for one that is told of more than once.
        for transfer in round.takeComplete() where transfer.hop.isComplete { finish(transfer, .complete) }
        for transfer in round.takeHeld() {
            if let handle = transfer.handle { _ = ccurl_easy_pause(handle.easy, Int32(CCURLPAUSE_CONT)) }
        }
    }

    mutating func takeDone() {
        var easy: OpaquePointer?
        var result: Int32 = 0
        while ccurl_multi_next_done(multi, &easy, &result) {
            guard let easy, let transfer = CurlHandle.at(ccurl_get_private(easy)).transfer, let handle = transfer.handle
            else { continue }
            transfer.isDone = true
            done.append((transfer, CurlOutcome(code: result, of: handle)))
        }
    }

    /// Whether libcurl took a connection error of HTTP/2 for the end of a body.
    ///
    /// Before 8.1, libcurl ends each stream of such a connection as if it were whole as soon as it looks at it, and closes the
    /// connection behind the last one. A connection that still stands had no error, nor had one with a stream that libcurl
    /// has looked at and goes on with. One whose server has said farewell is closed in order.
    mutating func isCutShort(_ transfer: CurlTransfer) -> Bool {
        guard LibraryVersion.current.mistakesConnectionErrorsForEnds, let handle = transfer.handle,
            handle.isMultiplexed, !transfer.hop.tellsLength, !transfer.hop.isRedirected,
            let connection = transfer.hop.connection, !round.hasFarewell(of: connection)
        else { return false }
        while !done.contains(where: { $0.transfer.hop.connection == connection && $0.transfer.isConnectionKept }) {
            guard let other = running.first(where: { $0.hop.connection == connection && !$0.isDone }) else {
                return true
            }
            // One that waits for its reader ends when that reads on, and does not tell before.
            guard !other.times.isPausedByReader, let easy = other.handle?.easy else { return false }
            ccurl_look(multi, easy)
            takeDone()
            if !other.isDone { return false }
        }
        return false
    }

    /// Takes a transfer off the wire; then it goes on with another hop, or its caller is answered.
    mutating func finish(_ transfer: CurlTransfer, _ outcome: CurlOutcome) {
        guard !transfer.isOver else { return }
        let companions = companions(of: transfer, in: outcome)
        if outcome.failure == .timedOut { endConnectionIfSilent(of: transfer) }
        if let handle = transfer.handle {
            ccurl_multi_remove(multi, handle.easy)
            sockets.transferIsOver(of: handle)
            remove(transfer)
            transfer.detach()
            // It may have come to no second request.
            if let failure = outcome.failure, failure != .cancelled { handle.mayHaveRetried = true }
            handles.give(back: handle)
            admission.release(transfer)
        }
        if transfer.goesOn(after: outcome) {
            startOrQueue(transfer)
        } else {
            transfer.end(outcome)
        }
        for companion in companions { finish(companion, outcome) }
        startWaiting()
    }

    /// The requests that fail together with a transfer whose connection timed out: those to the same origin that wait for this
    /// connection, and those that have waited in the queue for at least the connect timeout.
    func companions(of transfer: CurlTransfer, in outcome: CurlOutcome) -> [CurlTransfer] {
        guard outcome.failure == .timedOut, outcome.kind == .failure, let origin = transfer.origin else { return [] }
        let limit = configuration.connectTimeout.nanoseconds
        return running.filter { $0 !== transfer && $0.origin === origin && $0.waitsForConnection }
            + origin.waiting.filter { clock.now - $0.times.submitted >= limit }
    }

    /// Closes the connection of a request that timed out, if nothing was received over it in that time.
    ///
    /// If other requests use the connection, it is closed only after a longer silence: the server may just be slow. The silence
    /// begins with the first of the requests that timed out one after the other.
    mutating func endConnectionIfSilent(of transfer: CurlTransfer) {
        guard transfer.handle != nil, let connection = transfer.hop.connection else { return }
        let earlier = silences.removeValue(forKey: connection).flatMap { start in
            sockets.isSilent(connection, since: start) ? start : nil
        }
        let start = min(earlier ?? .max, transfer.times.started)
        let isShared = running.contains { $0 !== transfer && $0.hop.connection == connection }
        guard isShared, clock.now - start < Self.longSilence else {
            return sockets.end(connection, ifSilentSince: start)
        }
        silences[connection] = start
    }

    /// How long a connection that several requests use has to be silent before it is given up: 5 seconds.
    static let longSilence: UInt64 = 5_000_000_000

    /// Closes the gap with the last one, so that it takes no search.
    mutating func remove(_ transfer: CurlTransfer) {
        let last = running.removeLast()
        guard last !== transfer else { return }
        running[transfer.slot] = last
        last.slot = transfer.slot
    }

    mutating func endWhatIsLate() {
        let now = clock.now
        for transfer in unfinished where transfer.nextDeadline <= now { finish(transfer, transfer.lateOutcome) }
        goOn(names.takeLate(now))
        nextDeadline = unfinished.reduce(names.nextDeadline) { min($0, $1.nextDeadline) }
    }
}
#endif
