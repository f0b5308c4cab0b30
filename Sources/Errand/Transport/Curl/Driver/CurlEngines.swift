#if canImport(CCurl)
/// The identity that the engines of one transport share.
final class CurlFamily: Sendable {}

/// The engines of one transport: a common engine, and more engines for the tasks that run on their threads.
///
/// A task that an engine's thread resumes stays on that thread, and its requests use the connections of that thread.
/// The lock guards the list of engines, and the state that decides whether and how another one starts.
final class CurlEngines: Sendable {
    private struct State {
        /// The started engines, the common one or its replacement first.
        var started: [CurlEngine]
        /// The index in ``started`` of the engine for the next job from a thread outside these engines.
        var turn = 0
        /// Whether a shutdown has begun, after which no engine starts.
        var isShutDown = false
        /// The configuration of engines that start later.
        var configuration: CurlConfiguration
    }

    /// The engine for callers that are not on an engine's thread.
    private let common: CurlEngine
    private let family = CurlFamily()
    private let state: Locked<State>

    init(_ configuration: CurlConfiguration) {
        common = CurlEngine(configuration, in: family)
        state = Locked(State(started: [common], configuration: configuration))
    }

    /// The engine for a request from the current thread.
    var ofCurrentThread: CurlEngine { own ?? (common.hasNoThread ? replacement : common) }

    /// The replacement for a common engine that could not start. Each access tries again until an engine starts or the
    /// transport is shut down.
    private var replacement: CurlEngine {
        state.withLock { state in
            if state.started[0].hasNoThread, !state.isShutDown {
                state.started[0] = CurlEngine(state.configuration, in: family)
            }
            return state.started[0]
        }
    }

    /// The engine of the current thread, if it is one of these engines.
    private var own: CurlEngine? {
        guard let current = CurlEngine.current, current.family === family else { return nil }
        return current
    }

    /// Shuts all engines down, and calls `whenDone` after the last one has ended.
    func shutDown(_ mode: CurlTransport.Shutdown, _ whenDone: @escaping @Sendable () -> Void) {
        let engines = state.withLock { state in
            state.isShutDown = true
            return state.started
        }
        let running = Locked(engines.count)
        for engine in engines {
            engine.shutDown(mode) {
                let isLast = running.withLock { running in
                    running -= 1
                    return running == 0
                }
                if isLast { whenDone() }
            }
        }
    }

    /// The client certificate as text, or the path of its file.
    var clientCertificate: String? {
        state.withLock { state in
            switch state.configuration.tls.identity?.certificate {
            case .file(let path): path
            case .data(let text): String(decoding: text, as: UTF8.self)
            case nil: nil
            }
        }
    }

    /// Replaces the client certificate of all engines for new connections.
    func renew(_ identity: TLSConfiguration.Identity) {
        // An engine that starts in the meantime already has the new certificate.
        let engines = state.withLock { state in
            state.configuration.tls.identity = identity
            return state.started
        }
        for engine in engines { engine.submit(.renew(identity)) }
    }

    /// The current counts of all engines.
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

    /// The next engine in round-robin order, which is started if necessary.
    private var next: CurlEngine {
        state.withLock { state in
            let turn = state.turn
            state.turn = (turn + 1) % max(state.configuration.executorThreads, 1)
            if state.started.indices.contains(turn), !state.started[turn].hasNoThread { return state.started[turn] }
            guard !state.isShutDown else { return common }
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
    /// Runs a job on the current engine's thread, or on the next engine in round-robin order.
    func enqueue(_ job: consuming ExecutorJob) {
        let job = CurlEngine.Job(job: UnownedJob(job), executor: asUnownedTaskExecutor(), runsUserCode: true)
        (own ?? next).run(job)
    }
}
#endif
