#if canImport(CCurl)
import CCurl
import CEvents

/// The work and the state of the engine's thread: a noncopyable value that no other thread can access.
struct CurlDriver: ~Copyable {
    /// libcurl's multi handle, which performs all running transfers.
    let multi: OpaquePointer
    let sockets: CurlSockets
    let engine: CurlEngine
    let configuration: CurlConfiguration
    let clock = Monotonic()
    let handles: CurlHandlePool
    /// The reports of libcurl's callbacks that the loop handles after libcurl has returned.
    let round = CurlRound()
    /// The transfers that have not ended.
    var transfers = CurlTransfers()
    /// The connections that do not belong to a transfer, such as those of WebSockets, by ``CurlWire/key``.
    var wires: [ObjectIdentifier: CurlWire] = [:]
    /// Those of ``wires`` that are not established yet.
    var connecting: [CurlWire] = []
    /// Decides which transfers are given to libcurl.
    var pool: CurlPool
    /// The transfers and connections that wait for the addresses of their host.
    var names: CurlHostLookups
    /// The earliest time, in nanoseconds, at which a deadline can expire.
    var nextDeadline = UInt64.max
    /// The shutdown mode; `nil` before a shutdown.
    var shutdown: CurlTransport.Shutdown?
    /// The commands and jobs that are handled now. The value is stored so that its memory is used again.
    var batch = CurlInbox.Batch()

    /// The transfers whose hop has ended and that are not finished yet. Starting a transfer can add others.
    var done: [(transfer: CurlTransfer, outcome: CurlOutcome)] = []
    /// The transfers that ``finishDone()`` finishes now. The list is stored so that its memory is used again.
    var finishing: [(transfer: CurlTransfer, outcome: CurlOutcome)] = []
    /// The transfers whose wishes ``settle()`` carries out now, for the same reason.
    var reports: [CurlTransfer] = []

    /// - Parameter multi: A multi handle, which the loop owns from now on.
    init(engine: CurlEngine, multi: OpaquePointer, queue: Int32, wakeup: Int32, configuration: CurlConfiguration) {
        self.multi = multi
        self.engine = engine
        self.configuration = configuration
        sockets = CurlSockets(multi, queue: queue, wakeup: wakeup, clock: clock, configuration: configuration)
        handles = CurlHandlePool(configuration, sockets: sockets)
        pool = CurlPool(configuration, sharing: Self.sharing(configuration.version))
        names = CurlHostLookups(configuration, mayUseProxy: handles.mayUseProxy, engine: engine)
    }

    /// Returns a function from the name of an origin to its sharing, as far as that is known without a connection.
    private static func sharing(_ version: CurlConfiguration.Version) -> (String) -> CurlOrigin.Sharing {
        let library = CurlLibrary.current
        guard version != .http1, library.speaksHTTP2 else { return { _ in .none } }
        let withoutTLS: CurlOrigin.Sharing =
            version == .http2PriorKnowledge && !library.has(.startsHTTP2Twice) ? .streams : .none
        // If the TLS library does not report the protocol of a connection, only a response shows HTTP/2.
        let withTLS: CurlOrigin.Sharing = library.usesOpenSSL ? .unknown : .none
        return { $0.hasPrefix("https:") ? withTLS : withoutTLS }
    }

    /// Works until the shutdown: handles commands, jobs, timers and completed transfers, then waits for events.
    mutating func run() {
        while true {
            emptyInbox()
            sockets.keepTime(transfers.running)
            finishWhatIsDone()
            attendToConnecting()
            if shutdown != nil, isIdle, engine.close() { break }
            let isAsleep = engine.fallAsleep(knowing: shutdown)
            sockets.wait(isAsleep && done.isEmpty && round.isEmpty ? timeLeft : 0)
            // The following code adds jobs on this thread, which must not wake itself.
            if isAsleep { engine.wakeUp() }
            sockets.act(transfers.running)
            if round.isTimeToLook(clock.now) { look() }
            finishWhatIsDone()
        }
        handles.removeAll()
        ccurl_multi_cleanup(multi)
        sockets.close()
        engine.announceEnd()
    }

    /// Makes libcurl check transfers whose progress is not reported by an event.
    private func look() {
        sockets.look()
        // For a transfer that may hang, the check of all transfers is not enough.
        for transfer in transfers.running where transfer.mayHang && !transfer.exchange.times.isPaused {
            let isInactive = transfer.exchange.times.lastActivity + CurlRound.lookInterval <= clock.now
            if isInactive, let handle = transfer.handle { ccurl_look(multi, handle.easy) }
        }
    }

    /// Processes the inbox, including what arrives in the meantime: a job that receives a response usually sends the
    /// next request. After 16 rounds, the sockets are processed.
    private mutating func emptyInbox() {
        for _ in 0..<16 {
            clock.advance()
            batch = engine.takeBatch(reusing: batch)
            begin(shutdown: batch.shutdown)
            finishDone()
            if batch.isEmpty { return }
            for command in batch.commands {
                handle(command)
                finishDone()
            }
            batch.commands.removeAll(keepingCapacity: true)
            run(batch.jobs)
            batch.jobs.removeAll(keepingCapacity: true)
        }
    }

    /// Runs jobs of tasks. While the user's code may run, signals and child processes behave as on any other thread.
    private func run(_ jobs: [CurlEngine.Job]) {
        let runsUserCode = jobs.contains(where: \.runsUserCode)
        if runsUserCode { cevents_block_sigpipe(false) }
        for job in jobs { job.run() }
        if runsUserCode { cevents_block_sigpipe(true) }
    }

    private mutating func handle(_ command: CurlEngine.Command) {
        assert(done.isEmpty, "a command would find a transfer whose hop has ended and is not finished")
        switch command {
        case .start(let transfer): admit(transfer)
        case .cancel(let transfer): cancel(transfer)
        case .refuse(let transfer): transfer.refuse()
        case .resumeBody(let transfer): resumeBody(of: transfer)
        case .decided(let transfer, let decision): resume(transfer, after: decision)
        case .resumeUpload(let transfer): unpause(transfer)
        case .connect(let connection): connect(connection)
        case .resolved(let host, let number, let result):
            continueAfterLookup(names.take(result, of: host, lookup: number, clock.now))
        case .renew(let identity): handles.renew(identity)
        case .count(let report): report(poolMetrics)
        case .refuseConnection(let connection): connection.end(.failure(URLError(.cancelled)))
        case .attend(let connection):
            guard let wire = wires[ObjectIdentifier(connection)] else { return }
            wire.attend()
            if wire.isOver { wires[ObjectIdentifier(connection)] = nil }
        }
    }

    /// Applies a shutdown mode. Called before the commands of every batch, so that the next call also cancels the
    /// transfers and connections that these commands start.
    private mutating func begin(shutdown mode: CurlTransport.Shutdown?) {
        guard let mode else { return }
        shutdown = mode
        guard mode == .cancelling else { return }
        for transfer in transfers.unfinished { cancel(transfer) }
        continueAfterLookup(names.cancelAll())
        for wire in wires.values { wire.cut() }
        wires = [:]
    }

    /// The time until the next action is due, in nanoseconds.
    private var timeLeft: UInt64 {
        clock.advance()
        let next = connecting.reduce(min(nextDeadline, sockets.timer, round.nextLook)) { min($0, $1.timer) }
        return next > clock.now ? next - clock.now : 0
    }

    private var isIdle: Bool { transfers.isEmpty && wires.isEmpty && names.isIdle }

    /// The current counts of connections and requests.
    private var poolMetrics: PoolMetrics {
        var origins: [String: PoolMetrics] = [:]
        // Of some transfers, libcurl has reported only the connection or only the descriptor.
        let busyPorts = Set(transfers.running.compactMap { $0.exchange.hop.connection?.localPort })
        let busyDescriptors = Set(transfers.running.compactMap { $0.handle?.descriptor })
        for connection in sockets.connections {
            let isUsed =
                connection.isWire || busyDescriptors.contains(connection.descriptor)
                || busyPorts.contains(cevents_local_port(connection.descriptor))
            origins[connection.origin, default: PoolMetrics()].connections += 1
            origins[connection.origin, default: PoolMetrics()].idleConnections += isUsed ? 0 : 1
        }
        for transfer in transfers.unfinished {
            let phase = transfer.phase(isQueued: pool.isWaiting(transfer.number))
            origins[CurlOrigin.name(of: transfer.exchange.url), default: PoolMetrics()].count(phase)
        }
        var metrics = PoolMetrics()
        for origin in origins.values { metrics.add(origin) }
        metrics.origins = origins
        return metrics
    }
}
#endif
