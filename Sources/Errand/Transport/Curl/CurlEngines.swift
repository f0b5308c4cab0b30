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
    }

    /// The one for whoever is on no engine's thread.
    private let common: CurlEngine
    private let family = CurlFamily()
    private let configuration: CurlConfiguration
    private let state: Locked<State>

    init(_ configuration: CurlConfiguration) {
        self.configuration = configuration
        common = CurlEngine(configuration, in: family)
        state = Locked(State(started: [common]))
    }

    /// The engine that a request from this thread goes to.
    var here: CurlEngine { own ?? common }

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

    /// The next in turn, started where it is not yet.
    private var next: CurlEngine {
        state.withLock { state in
            let turn = state.turn
            state.turn = (turn + 1) % max(configuration.executorThreads, 1)
            if state.started.indices.contains(turn) { return state.started[turn] }
            guard state.shutdown == nil else { return common }
            let engine = CurlEngine(configuration, in: family)
            state.started.append(engine)
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
