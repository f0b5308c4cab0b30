#if canImport(CCurl)
import CCurl
import CEvents

/// What the engine's thread does, and all that only it may touch: a value that nobody else can have.
struct CurlLoop: ~Copyable {
    let multi: OpaquePointer
    let sockets: CurlSockets
    let engine: CurlEngine
    let configuration: CurlConfiguration
    let clock = Monotonic()
    let resourceTimeout: UInt64
    let handles: CurlHandlePool
    let round = CurlRound()
    var running: [CurlTransfer] = []
    /// The connections that are no transfers'.
    var wires: [ObjectIdentifier: CurlWire] = [:]
    var connecting: [CurlWire] = []
    var admission: CurlAdmission
    var names: CurlNames
    /// Since when nothing has come over connections whose requests timed out while others used them, in nanoseconds.
    var silences: [ConnectionID: UInt64] = [:]
    /// No deadline passes before this, in nanoseconds.
    var nextDeadline = UInt64.max
    var shutdown: CurlTransport.Shutdown?
    var batch = CurlInbox.Batch()

    /// The transfers that libcurl is done with, until they are ended one by one.
    var done: [(transfer: CurlTransfer, outcome: CurlOutcome)] = []

    /// - Parameter multi: A handle of libcurl's, which the loop owns from here on.
    init(engine: CurlEngine, multi: OpaquePointer, queue: Int32, bell: Int32, configuration: CurlConfiguration) {
        self.multi = multi
        self.engine = engine
        self.configuration = configuration
        sockets = CurlSockets(multi, queue: queue, bell: bell, clock: clock, configuration: configuration)
        resourceTimeout = configuration.resourceTimeout.nanoseconds
        handles = CurlHandlePool(configuration, sockets: sockets)
        admission = CurlAdmission(
            originLimit: max(configuration.maximumConnectionsPerHost, 1),
            limit: max(configuration.maximumConnections, 1), sharing: Self.sharing(configuration.version))
        names = CurlNames(configuration, mayUseProxy: handles.mayUseProxy, engine: engine)
    }

    /// What is known of an origin before there is a connection.
    private static func sharing(_ version: CurlConfiguration.Version) -> (String) -> CurlOrigin.Sharing {
        let library = LibraryVersion.current
        guard version != .http1, library.speaksHTTP2 else { return { _ in .none } }
        let withoutTLS: CurlOrigin.Sharing =
            version == .http2PriorKnowledge && library.reusesPriorKnowledge ? .streams : .none
        let withTLS: CurlOrigin.Sharing = library.tellsOfProtocol ? .unknown : .none
        return { $0.hasPrefix("https:") ? withTLS : withoutTLS }
    }

    mutating func run() {
        while true {
            emptyInbox()
            sockets.keepTime()
            finishWhatIsDone()
            attendToConnecting()
            if shutdown != nil, isIdle, engine.close() { break }
            let isAsleep = engine.fallAsleep(knowing: shutdown)
            sockets.wait(isAsleep && done.isEmpty ? timeLeft : 0)
            // What follows gives jobs to this very thread, which needs no bell for them.
            if isAsleep { engine.wakeUp() }
            sockets.act()
            if round.isTimeToLook(clock.now) { look() }
            finishWhatIsDone()
        }
        handles.removeAll()
        ccurl_multi_cleanup(multi)
        sockets.close()
        engine.announceEnd()
    }

    /// Has libcurl check transfers of whose progress no event tells.
    func look() {
        sockets.look()
        for transfer in running where transfer.mayHang && !transfer.times.isPausedByReader {
            guard transfer.times.lastActivity + CurlRound.lookInterval <= clock.now, let handle = transfer.handle else {
                continue
            }
            ccurl_look(multi, handle.easy)
        }
    }

    /// Does what has come in, and what comes in meanwhile: a job that gets its answer mostly sends the next request. So
    /// many rounds, and the sockets have their turn.
    mutating func emptyInbox() {
        for _ in 0..<16 {
            clock.advance()
            batch = engine.takeBatch(reusing: batch)
            begin(shutdown: batch.shutdown)
            if batch.isEmpty { return }
            for command in batch.commands { handle(command) }
            batch.commands.removeAll(keepingCapacity: true)
            run(batch.jobs)
            batch.jobs.removeAll(keepingCapacity: true)
        }
    }

    /// Runs pieces of tasks, which get signals and start programs as on any other thread.
    func run(_ jobs: [CurlEngine.Job]) {
        guard !jobs.isEmpty else { return }
        cevents_hold_broken_pipe(false)
        for job in jobs { job.run() }
        cevents_hold_broken_pipe(true)
    }

    mutating func handle(_ command: CurlEngine.Command) {
        switch command {
        case .start(let transfer): admit(transfer)
        case .cancel(let transfer): cancel(transfer)
        case .refuse(let transfer): transfer.refuse()
        case .resumeBody(let transfer):
            transfer.times.isPausedByReader = false
            resume(transfer)
        case .resumeUpload(let transfer): resume(transfer)
        case .connect(let line): connect(line)
        case .resolved(let host, let result): goOn(names.take(result, of: host, clock.now))
        case .renew(let identity): handles.renew(identity)
        case .count(let report): report(poolMetrics)
        case .refuseConnection(let line): line.end(.failure(URLError(.cancelled)))
        case .attend(let line):
            guard let wire = wires[ObjectIdentifier(line)] else { return }
            wire.attend()
            if wire.isOver { wires[ObjectIdentifier(line)] = nil }
        }
    }

    mutating func begin(shutdown mode: CurlTransport.Shutdown?) {
        guard let mode else { return }
        shutdown = mode
        guard mode == .cancelling else { return }
        for transfer in unfinished { cancel(transfer) }
        goOn(names.cancelAll())
        for wire in wires.values { wire.cut() }
        wires = [:]
    }

    /// How long nothing has to be done, in nanoseconds.
    var timeLeft: UInt64 {
        clock.advance()
        let next = connecting.reduce(min(nextDeadline, sockets.timer, round.nextLook)) { min($0, $1.timer) }
        return next > clock.now ? next - clock.now : 0
    }

    private var isIdle: Bool { running.isEmpty && wires.isEmpty && admission.isIdle && names.isIdle }

    /// All transfers that have not ended.
    var unfinished: [CurlTransfer] { running + admission.waiting + names.waiting }

    /// What connections and requests are doing now.
    private var poolMetrics: PoolMetrics {
        var metrics = PoolMetrics()
        let busyPorts = Set(running.compactMap { $0.hop.connection?.localPort })
        let busyDescriptors = Set(running.compactMap { $0.handle?.descriptor })
        for connection in sockets.connections {
            let isUsed =
                connection.isWire || busyDescriptors.contains(connection.descriptor)
                || busyPorts.contains(cevents_local_port(connection.descriptor))
            metrics.origins[connection.origin, default: .init()].connections += 1
            metrics.origins[connection.origin, default: .init()].idleConnections += isUsed ? 0 : 1
        }
        for transfer in unfinished {
            metrics.origins[CurlOrigin.name(of: transfer.url), default: .init()].count(transfer.phase)
        }
        return metrics
    }
}
#endif
