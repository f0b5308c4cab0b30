#if canImport(CCurl)
/// What the engines of one transport have in common, and know each other by.
final class CurlFamily: Sendable {}

/// The engines of one transport: one that everybody uses, and more for the tasks that run on their threads.
///
/// A task stays on the thread where it is, and what it sends goes over that thread's own connections: nothing of it is
/// handed to another thread. The lock guards the list of engines alone.
final class CurlEngines: Sendable {
    private struct State {
        /// All that were started, the common one first.
        var started: [CurlEngine]
        /// Whose turn it is to get a task that comes from elsewhere.
        var turn = 0
        /// What those that start from here on are told at once.
        var shutdown: CurlTransport.Shutdown?
        /// How those that start from here on connect.
        var configuration: CurlConfiguration
    }

    /// The one for whoever is on no engine's thread.
    private let common: CurlEngine
    private let family = CurlFamily()
    private let state: Locked<State>

    init(_ configuration: CurlConfiguration) {
        common = CurlEngine(configuration, in: family)
        state = Locked(State(started: [common], configuration: configuration))
    }

    /// The engine that a request from this thread goes to.
    var here: CurlEngine { own ?? (common.isStillborn ? revived : common) }

    /// The engine in place of a common one that found no descriptor, tried anew each time until there is one.
    private var revived: CurlEngine {
        state.withLock { state in
            if state.started[0].isStillborn, state.shutdown == nil {
                state.started[0] = CurlEngine(state.configuration, in: family)
            }
            return state.started[0]
        }
    }

    /// The engine whose thread this is, if it is one of these.
    private var own: CurlEngine? {
        guard let current = CurlEngine.current, current.family === family else { return nil }
        return current
    }

    /// Ends all of them, and calls back when the last has ended.
    func shutDown(_ mode: CurlTransport.Shutdown, _ whenDone: @escaping @Sendable () -> Void) {
        let engines = state.withLock { state in
            state.shutdown = mode
            return state.started
        }
        let left = Locked(engines.count)
        for engine in engines {
            engine.shutDown(mode) {
                let isLast = left.withLock { left in
                    left -= 1
                    return left == 0
                }
                if isLast { whenDone() }
            }
        }
    }

    /// The certificate of the client, or the name of its file.
    var clientCertificate: String? {
        state.withLock { state in
            switch state.configuration.tls.identity?.certificate {
            case .file(let path): path
            case .data(let text): String(decoding: text, as: UTF8.self)
            case nil: nil
            }
        }
    }

    /// Has all of them introduce the client in another way from here on.
    func renew(_ identity: TLSConfiguration.Identity) {
        // One that starts meanwhile has it already.
        let engines = state.withLock { state in
            state.configuration.tls.identity = identity
            return state.started
        }
        for engine in engines { engine.submit(.renew(identity)) }
    }

    /// What the connections of all of them are doing now.
    var poolMetrics: PoolMetrics {
        get async {
            var metrics = PoolMetrics()
            for engine in state.withLock({ $0.started }) {
                metrics.add(
                    await withCheckedContinuation { continuation in
                        engine.submit(.count { continuation.resume(returning: $0) })
                    })
            }
            return metrics
        }
    }

    /// The next in turn, started where it is not yet.
    private var next: CurlEngine {
        state.withLock { state in
            let turn = state.turn
            state.turn = (turn + 1) % max(state.configuration.executorThreads, 1)
            if state.started.indices.contains(turn), !state.started[turn].isStillborn { return state.started[turn] }
            guard state.shutdown == nil else { return common }
            let engine = CurlEngine(state.configuration, in: family)
            if state.started.indices.contains(turn) {
                state.started[turn] = engine
            } else {
                state.started.append(engine)
            }
            return engine
        }
    }
}

extension CurlEngines: TaskExecutor {
    /// Runs a job on the thread that it comes from, or else on the next in turn.
    func enqueue(_ job: consuming ExecutorJob) {
        let job = CurlEngine.Job(job: UnownedJob(job), executor: asUnownedTaskExecutor())
        (own ?? next).run(job)
    }
}
#endif
