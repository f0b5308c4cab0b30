#if canImport(CCurl)
import CCurl

/// What the engine's thread does, and all that only it may touch: a value that nobody else can have.
struct CurlLoop: ~Copyable {
    private let multi: OpaquePointer
    private let sockets: CurlSockets
    private let engine: CurlEngine
    private let configuration: CurlConfiguration
    private let clock = Monotonic()
    private let resourceTimeout: UInt64
    private let handles: CurlHandlePool
    private let pendingBodies = CurlPendingBodies()
    private var running: [CurlTransfer] = []
    /// The connections that are no transfers'.
    private var wires: [ObjectIdentifier: CurlWire] = [:]
    private var connecting: [CurlWire] = []
    private var admission: CurlAdmission
    /// No deadline passes before this, in nanoseconds.
    private var nextDeadline = UInt64.max
    private var shutdown: CurlTransport.Shutdown?
    private var batch = CurlInbox.Batch()

    init(engine: CurlEngine, queue: Int32, bell: Int32, configuration: CurlConfiguration) {
        multi = Self.makeMulti(configuration)
        sockets = CurlSockets(multi, queue: queue, bell: bell, clock: clock)
        self.engine = engine
        self.configuration = configuration
        resourceTimeout = configuration.resourceTimeout.nanoseconds
        handles = CurlHandlePool(configuration, sockets: sockets)
        admission = CurlAdmission(
            originLimit: configuration.maximumConnectionsPerHost, limit: configuration.maximumConnections)
    }

    /// Prepares the library, once.
    private static func makeMulti(_ configuration: CurlConfiguration) -> OpaquePointer {
        // It fails for want of memory alone, for which there is no error either.
        guard libraryIsReady, let multi = ccurl_multi_init() else { fatalError("libcurl cannot be initialized") }
        ccurl_multi_set_long(multi, Int32(CCURLMOPT_MAX_HOST_CONNECTIONS), configuration.maximumConnectionsPerHost)
        ccurl_multi_set_long(multi, Int32(CCURLMOPT_MAX_TOTAL_CONNECTIONS), configuration.maximumConnections)
        ccurl_multi_set_long(multi, Int32(CCURLMOPT_MAXCONNECTS), configuration.maximumConnections)
        return multi
    }

    private static let libraryIsReady = ccurl_global_init() == CCURLE_OK

    mutating func run() {
        while true {
            emptyInbox()
            sockets.keepTime()
            finishWhatIsDone()
            attendToConnecting()
            if shutdown != nil, running.isEmpty, wires.isEmpty, admission.isIdle, engine.close() { break }
            let isIdle = engine.fallAsleep(knowing: shutdown)
            sockets.wait(isIdle ? timeLeft : 0)
            // What follows gives jobs to this very thread, which needs no bell for them.
            if isIdle { engine.wakeUp() }
            sockets.act()
            finishWhatIsDone()
        }
        handles.removeAll()
        ccurl_multi_cleanup(multi)
        sockets.close()
        engine.announceEnd()
    }

    /// Does what has come in, and what comes in meanwhile: a job that gets its answer mostly sends the next request. So
    /// many rounds, and the sockets have their turn.
    private mutating func emptyInbox() {
        for _ in 0..<16 {
            clock.advance()
            batch = engine.takeBatch(reusing: batch)
            begin(shutdown: batch.shutdown)
            if batch.isEmpty { return }
            for command in batch.commands { handle(command) }
            batch.commands.removeAll(keepingCapacity: true)
            for job in batch.jobs { job.run() }
            batch.jobs.removeAll(keepingCapacity: true)
        }
    }

    private mutating func finishWhatIsDone() {
        pendingBodies.handOver()
        var easy: OpaquePointer?
        var result: Int32 = 0
        // libcurl reads the clock for itself: what it has just seen must not lie after the end.
        clock.advance()
        while ccurl_multi_next_done(multi, &easy, &result) {
            guard let easy, let transfer = CurlHandle.at(ccurl_get_private(easy)).transfer, let handle = transfer.handle
            else { continue }
            finish(transfer, CurlOutcome(code: result, of: handle))
        }
        // A head may have told that its origin speaks HTTP/2, and that those who wait for it need not.
        startWaiting()
        if clock.now >= nextDeadline { endWhatIsLate() }
    }

    private mutating func handle(_ command: CurlEngine.Command) {
        switch command {
        case .start(let transfer): admit(transfer)
        case .cancel(let transfer): cancel(transfer)
        case .refuse(let transfer): transfer.refuse()
        case .resumeBody(let transfer):
            transfer.readerHasCaughtUp()
            resume(transfer)
        case .resumeUpload(let transfer): resume(transfer)
        case .connect(let line): connect(line)
        case .refuseConnection(let line): line.end(.failure(URLError(.cancelled)))
        case .attend(let line):
            guard let wire = wires[ObjectIdentifier(line)] else { return }
            wire.attend()
            if wire.isOver { wires[ObjectIdentifier(line)] = nil }
        }
    }
}

// The connections that are no transfers'.
extension CurlLoop {
    private mutating func connect(_ line: CurlLine) {
        guard let wire = CurlWire(line, handle: handles.makeConnecting(to: line.url), sockets: sockets, clock: clock)
        else { return line.end(.failure(URLError(.resourceUnavailable))) }
        wires[ObjectIdentifier(line)] = wire
        connecting.append(wire)
    }

    /// Calls libcurl where its time has come, and forgets what came to nothing.
    private mutating func attendToConnecting() {
        guard !connecting.isEmpty else { return }
        for wire in connecting {
            wire.keepTime()
            if wire.isOver { wires[wire.name] = nil }
        }
        connecting.removeAll { !$0.isConnecting }
    }
}

// How a transfer begins and ends.
extension CurlLoop {
    private mutating func admit(_ transfer: CurlTransfer) {
        if transfer.isCancelledBeforeStart { return transfer.refuse() }
        transfer.submitted(clock, pendingBodies, defaultTimeout: resourceTimeout)
        startOrQueue(transfer)
    }

    private mutating func startOrQueue(_ transfer: CurlTransfer) {
        if admission.admit(transfer, to: transfer.url) {
            start(transfer)
        } else {
            nextDeadline = min(nextDeadline, transfer.deadline)
        }
    }

    private mutating func start(_ transfer: CurlTransfer) {
        let handle = handles.take(isForCredential: transfer.answersChallenges)
        do {
            try transfer.attach(handle, engine: engine, maximumHeadSize: configuration.maximumHeadSize)
        } catch {
            handles.give(back: handle)
            admission.release(transfer)
            return transfer.end(failure: error)
        }
        transfer.slot = running.count
        running.append(transfer)
        nextDeadline = min(nextDeadline, transfer.nextDeadline)
        ccurl_multi_add(multi, handle.easy)
    }

    private mutating func resume(_ transfer: CurlTransfer) {
        guard let handle = transfer.handle else { return }
        transfer.touch()
        // While it was paused by its reader, it had no deadline of its own.
        nextDeadline = min(nextDeadline, transfer.nextDeadline)
        ccurl_easy_pause(handle.easy, Int32(CCURLPAUSE_CONT))
    }

    /// A task that was cancelled before it asked cancels before it starts, and before there is anybody to be told.
    private mutating func cancel(_ transfer: CurlTransfer) {
        if transfer.isSubmitted {
            finish(transfer, CurlOutcome(failure: .cancelled))
        } else {
            transfer.isCancelledBeforeStart = true
        }
    }

    /// Takes a transfer off the wire; then it goes on with another hop, or its caller is answered.
    private mutating func finish(_ transfer: CurlTransfer, _ outcome: CurlOutcome) {
        guard !transfer.isOver else { return }
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
        startWaiting()
    }

    private mutating func startWaiting() {
        while let next = admission.next() { start(next) }
    }

    /// Closes the gap with the last one, so that it takes no search.
    private mutating func remove(_ transfer: CurlTransfer) {
        let last = running.removeLast()
        guard last !== transfer else { return }
        running[transfer.slot] = last
        last.slot = transfer.slot
    }

    private mutating func endWhatIsLate() {
        let now = clock.now
        for transfer in (running + admission.waiting) where transfer.nextDeadline <= now {
            finish(transfer, CurlOutcome(failure: .timedOut, reason: transfer.timeoutReason.description))
        }
        nextDeadline = (running + admission.waiting).reduce(.max) { min($0, $1.nextDeadline) }
    }

    private mutating func begin(shutdown mode: CurlTransport.Shutdown?) {
        guard let mode else { return }
        shutdown = mode
        guard mode == .cancelling else { return }
        for transfer in running + admission.waiting { cancel(transfer) }
        for wire in wires.values { wire.cut() }
        wires = [:]
    }

    /// How long nothing has to be done, in nanoseconds.
    private var timeLeft: UInt64 {
        clock.advance()
        let next = connecting.reduce(min(nextDeadline, sockets.timer)) { min($0, $1.timer) }
        return next > clock.now ? next - clock.now : 0
    }
}
#endif
