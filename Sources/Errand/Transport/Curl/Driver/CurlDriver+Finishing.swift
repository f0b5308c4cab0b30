#if canImport(CCurl)
import CCurl

// The end of transfers. While libcurl runs, its callbacks put work into ``round``. After it has returned, ``done``
// collects the transfers whose hop has ended, by libcurl or by the loop, and ``settle()`` acts on both.
extension CurlDriver {
    /// Finishes completed transfers, starts those for which there is room now, and ends those that are late.
    mutating func finishWhatIsDone() {
        // libcurl reads the clock itself. The loop's time must not be earlier than what libcurl has just seen.
        clock.advance()
        settle()
        startWaiting()
        guard clock.now >= nextDeadline else { return }
        // After a suspension of the process or of this thread, data that arrived in time may still be unread.
        sockets.actOnAll(transfers.running)
        settle()
        endWhatIsLate()
    }

    /// Finishes the transfers that libcurl has completed, and those that need not continue. Also passes bodies to their
    /// readers, and continues the transfers that callbacks have held.
    private mutating func settle() {
        reports = round.takeReports(reusing: reports)
        let wishes = reports.map { $0.exchange.takeWishes() }
        for (transfer, wishes) in zip(reports, wishes) {
            if wishes.contains(.piece) { transfer.handOver() }
            if wishes.contains(.deadline) { nextDeadline = min(nextDeadline, transfer.exchange.times.next) }
        }
        reportToPool()
        finishDone()
        // A transfer that was finished may already be at its next hop.
        for (transfer, wishes) in zip(reports, wishes) where !transfer.isOver {
            if wishes.contains(.end), transfer.exchange.hop.isComplete { end(transfer, with: .complete) }
            if wishes.contains(.turn) { unpause(transfer) }
            if wishes.contains(.decision) { transfer.askAboutRedirect(engine) }
            finishDone()
        }
        reports.removeAll(keepingCapacity: true)
    }

    /// Finishes the transfers whose hop has ended, and those that end together with them. Called after each step that
    /// may end one, so that no other step finds it.
    mutating func finishDone() {
        while !done.isEmpty {
            var index = 0
            // The check of one transfer can add others to the list.
            while index < done.count {
                let transfer = done[index].transfer
                if done[index].outcome.kind == .success, transfer.isCutInTLS || isCutShort(transfer) {
                    done[index].outcome = .cutShort
                }
                index += 1
            }
            swap(&done, &finishing)
            for (transfer, outcome) in finishing { finish(transfer, outcome) }
            finishing.removeAll(keepingCapacity: true)
        }
    }

    /// Ends the current hop of a transfer, which ``finishDone()`` finishes. The first outcome counts.
    mutating func end(_ transfer: CurlTransfer, with outcome: CurlOutcome) {
        guard !transfer.isOver, !transfer.isDone else { return }
        transfer.isDone = true
        done.append((transfer, outcome))
        // A transfer that waits must not be started any more.
        if transfer.handle == nil { pool.ended(transfer.number) }
    }

    /// Passes on to the pool what libcurl has done. Called before a transfer ends, since its number may then belong to
    /// another one.
    mutating func reportToPool() {
        takeDone()
        round.takeEvents { transfer, event in
            pool.took(event, for: transfer.number, completed: done.lazy.map(\.transfer.number), clock.now)
        }
    }

    /// Takes libcurl's reports of completed transfers.
    mutating func takeDone() {
        var easy: OpaquePointer?
        var result: Int32 = 0
        while ccurl_multi_next_done(multi, &easy, &result) {
            guard let easy, let transfer = CurlHandle.at(ccurl_get_private(easy)).transfer, let handle = transfer.handle
            else { continue }
            end(transfer, with: CurlOutcome(code: result, of: handle))
        }
    }

    /// Removes a transfer from libcurl, then starts its next hop or resumes its caller. If its redirect is not decided
    /// yet, the rest follows with the decision.
    private mutating func finish(_ transfer: CurlTransfer, _ outcome: CurlOutcome) {
        reportToPool()
        let companions = companions(of: transfer, in: outcome)
        if outcome.failure == .timedOut { endConnectionIfSilent(of: transfer) }
        recordFailureToConnect(of: transfer, in: outcome)
        if let handle = transfer.handle {
            ccurl_multi_remove(multi, handle.easy)
            sockets.markIdleConnection(of: handle)
            transfers.stop(transfer)
            transfer.detach()
            // libcurl may have retried even if it did not report a second request.
            if let failure = outcome.failure, failure != .cancelled { handle.mayHaveRetried = true }
            handles.give(back: handle)
        }
        transfer.isDone = false
        pool.ended(transfer.number)
        switch transfer.exchange.end(outcome) {
        case .decision: break
        case .hop: startOrQueue(transfer)
        case .end:
            transfer.end(outcome)
            transfers.remove(transfer)
        }
        // The companions' outcome is the loop's decision, so they have no companions themselves.
        for companion in companions { end(companion, with: outcome.ofLoop) }
        startWaiting()
    }

    /// Returns the requests that fail together with a transfer whose connection timed out: those to the same origin
    /// that libcurl makes wait for this connection. An outcome of libcurl is a timeout only while it connects, because
    /// the loop enforces the other timeouts.
    private func companions(of transfer: CurlTransfer, in outcome: CurlOutcome) -> [CurlTransfer] {
        guard outcome.failure == .timedOut, outcome.kind == .failure else { return [] }
        return pool.companions(of: transfer.number).map { transfers[$0] }.filter(\.waitsForConnection)
    }

    /// Records that a transfer could not connect to its origin. Does nothing with a libcurl that does not report
    /// connections.
    private mutating func recordFailureToConnect(of transfer: CurlTransfer, in outcome: CurlOutcome) {
        guard outcome.failure != nil, outcome.kind != .ours, let handle = transfer.handle, !handle.hasConnection,
            !CurlLibrary.current.has(.sendsUnasked)
        else { return }
        pool.failedToConnect(transfer.number, clock.now)
        // The transfers that wait for the first connection now have an earlier deadline.
        nextDeadline = min(nextDeadline, clock.now + configuration.connectTimeout.nanoseconds)
    }

    /// Closes the connection of a request that timed out, if it was silent for too long.
    private mutating func endConnectionIfSilent(of transfer: CurlTransfer) {
        guard transfer.handle != nil, let connection = transfer.exchange.hop.connection,
            let received = sockets.lastActivity(of: connection),
            let start = pool.timedOut(transfer.number, lastReceived: received, clock.now)
        else { return }
        sockets.end(connection, ifSilentSince: start)
    }

    /// The time at which a transfer must end if nothing happens.
    func deadline(of transfer: CurlTransfer) -> UInt64 {
        transfer.deadline(patience(of: transfer))
    }

    private func patience(of transfer: CurlTransfer) -> CurlPool.Patience {
        pool.isWaiting(transfer.number) ? pool.patience(of: transfer.number) : CurlPool.Patience()
    }

    /// Ends the transfers and lookups whose deadline has passed, and schedules the next check.
    private mutating func endWhatIsLate() {
        let now = clock.now
        // The end of one that runs may start one that waits, which counts as activity for the others that wait.
        for transfer in transfers.running { endIfLate(transfer, now) }
        finishDone()
        for transfer in transfers.unfinished { endIfLate(transfer, now) }
        continueAfterLookup(names.takeLate(now))
        finishDone()
        let earliest = transfers.unfinished.reduce(names.nextDeadline) { min($0, deadline(of: $1)) }
        nextDeadline = TransferTimes.nextCheck(earliest, of: transfers.count, after: now)
    }

    private mutating func endIfLate(_ transfer: CurlTransfer, _ now: UInt64) {
        guard deadline(of: transfer) <= now else { return }
        let isQueued = pool.isWaiting(transfer.number)
        end(transfer, with: transfer.lateOutcome(patience(of: transfer), isQueued: isQueued))
    }
}
#endif
