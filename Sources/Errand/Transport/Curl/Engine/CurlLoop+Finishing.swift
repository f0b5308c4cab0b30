#if canImport(CCurl)
import CCurl

// The end of transfers. While libcurl runs, its callbacks put work into ``round``. After it has returned, ``done``
// collects the transfers that it has completed, and the loop acts on both.
extension CurlLoop {
    /// Finishes completed transfers, starts those for which there is room now, and ends those that are late.
    mutating func finishWhatIsDone() {
        // libcurl reads the clock itself. The loop's time must not be earlier than what libcurl has just seen.
        clock.advance()
        settle()
        startWaiting()
        // A response that was complete before its request has made the deadline of its transfer earlier.
        if round.hasNewDeadline {
            round.hasNewDeadline = false
            nextDeadline = min(nextDeadline, clock.now + TransferTimes.earlyResponseGrace)
        }
        guard clock.now >= nextDeadline else { return }
        // After a suspension of the process or of this thread, data that arrived in time may still be unread.
        sockets.actOnAll(running)
        settle()
        endWhatIsLate()
    }

    /// Finishes the transfers that libcurl has completed, and those that need not continue. Also passes bodies to their
    /// readers, and continues the transfers that callbacks have held.
    mutating func settle() {
        // A transfer loses its origin when it ends, so new connections are recorded first.
        round.takeConnected { admission.connected($0, sharing: $1) }
        round.handOverBodies()
        takeDone()
        var index = 0
        // The check of one transfer can add others to the list.
        while index < done.count {
            let transfer = done[index].transfer
            if done[index].outcome.kind == .success, transfer.isCutInTLS || isCutShort(transfer) {
                done[index].outcome = .cutShort
            }
            index += 1
        }
        // The ends of transfers add others to the list.
        swap(&done, &finishing)
        // A transfer that was finished for another reason in the meantime may already be at its next hop.
        for (transfer, outcome) in finishing where transfer.isDone { finish(transfer, outcome) }
        finishing.removeAll(keepingCapacity: true)
        // The same applies to a transfer that was reported more than once.
        for transfer in round.takeComplete() where transfer.hop.isComplete { finish(transfer, .complete) }
        for transfer in round.takeHeld() { unpause(transfer) }
        for transfer in round.takeUndecided() where !transfer.isOver { transfer.askAboutRedirect(engine) }
    }

    /// Takes libcurl's reports of completed transfers.
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

    /// Removes a transfer from libcurl, then starts its next hop or resumes its caller. If its redirect is not decided
    /// yet, the rest follows with the decision.
    mutating func finish(_ transfer: CurlTransfer, _ outcome: CurlOutcome) {
        guard !transfer.isOver else { return }
        if !undecided.isEmpty { undecided.removeAll { $0 === transfer } }
        let companions = companions(of: transfer, in: outcome)
        if outcome.failure == .timedOut { endConnectionIfSilent(of: transfer) }
        noteFailureToConnect(of: transfer, in: outcome)
        if let handle = transfer.handle {
            ccurl_multi_remove(multi, handle.easy)
            sockets.markIdleConnection(of: handle)
            remove(transfer)
            transfer.detach()
            // libcurl may have retried even if it did not report a second request.
            if let failure = outcome.failure, failure != .cancelled { handle.mayHaveRetried = true }
            handles.give(back: handle)
            admission.release(transfer)
        }
        if transfer.mustWait(after: outcome) {
            undecided.append(transfer)
        } else if transfer.goesOn(after: outcome) {
            startOrQueue(transfer)
        } else {
            transfer.end(outcome)
        }
        // The companions' outcome is the loop's decision, so they have no companions themselves.
        for companion in companions { finish(companion, outcome.ofLoop) }
        startWaiting()
    }

    /// Returns the requests that fail together with a transfer whose connection timed out: those to the same origin
    /// that libcurl makes wait for this connection. An outcome of libcurl is a timeout only while it connects, because
    /// the loop enforces the other timeouts.
    private func companions(of transfer: CurlTransfer, in outcome: CurlOutcome) -> [CurlTransfer] {
        guard outcome.failure == .timedOut, outcome.kind == .failure, let origin = transfer.origin else { return [] }
        return running.filter { $0 !== transfer && $0.origin === origin && $0.waitsForConnection }
    }

    /// Records that a transfer could not connect to its origin, unless another one has a connection to it. Does nothing
    /// with a libcurl that does not report connections.
    private mutating func noteFailureToConnect(of transfer: CurlTransfer, in outcome: CurlOutcome) {
        guard outcome.failure != nil, outcome.kind != .ours, let origin = transfer.origin, let handle = transfer.handle,
            !handle.hasConnection, LibraryVersion.current.asksBeforeSending,
            !running.contains(where: { $0.origin === origin && $0.hop.isConnected })
        else { return }
        origin.noteUnreached(clock.now)
        // The transfers that wait for the first connection now have an earlier deadline.
        nextDeadline = min(nextDeadline, clock.now + configuration.connectTimeout.nanoseconds)
    }

    /// Closes the connection of a request that timed out, if no data has arrived over it since the request was given to
    /// libcurl.
    ///
    /// If other requests use the connection, it is closed only after a longer silence, because the server may just be
    /// slow. The silence begins with the first request of a series of timeouts.
    private mutating func endConnectionIfSilent(of transfer: CurlTransfer) {
        guard transfer.handle != nil, let connection = transfer.hop.connection else { return }
        let starts = [silences.removeValue(forKey: connection), transfer.times.started].compactMap(\.self)
        guard let start = starts.filter({ sockets.isSilent(connection, since: $0) }).min() else { return }
        let isShared = running.contains { $0 !== transfer && $0.hop.connection == connection }
        guard isShared, clock.now - start < Self.longSilence else {
            return sockets.end(connection, ifSilentSince: start)
        }
        silences = silences.filter { sockets.isSilent($0.key, since: $0.value) }
        silences[connection] = start
    }

    /// The silence after which a connection with several requests is closed: 5 seconds.
    private static let longSilence: UInt64 = 5_000_000_000

    /// Removes a transfer from ``running``. The last transfer moves to its index, so that removal needs no search.
    private mutating func remove(_ transfer: CurlTransfer) {
        let last = running.removeLast()
        guard last !== transfer else { return }
        running[transfer.slot] = last
        last.slot = transfer.slot
    }

    /// Ends the transfers and lookups whose deadline has passed, and schedules the next check.
    private mutating func endWhatIsLate() {
        let now = clock.now
        for transfer in unfinished where transfer.nextDeadline <= now { finish(transfer, transfer.lateOutcome) }
        continueAfterLookup(names.takeLate(now))
        let left = unfinished
        let earliest = left.reduce(names.nextDeadline) { min($0, $1.nextDeadline) }
        nextDeadline = TransferTimes.nextCheck(earliest, of: left.count, after: now)
    }
}
#endif
