extension TransferProgress {
    /// How far a transfer has come at one moment, how fast it is, and how long it will still take.
    public struct Measurement: Hashable, Sendable {
        /// How many bytes have passed, and of how many.
        public var snapshot: Snapshot
        /// The bytes per second, over the window; nil as long as no time has passed.
        public var throughput: Double?
        /// How long the rest takes at this rate; nil where nothing moves, or the total is not known.
        public var estimatedTimeRemaining: Duration?

        /// A measurement of these values.
        public init(snapshot: Snapshot, throughput: Double? = nil, estimatedTimeRemaining: Duration? = nil) {
            self.snapshot = snapshot
            self.throughput = throughput
            self.estimatedTimeRemaining = estimatedTimeRemaining
        }
    }

    /// This progress with rate and time left, at a pace that is fit for a display.
    ///
    /// ```swift
    /// for await now in request.downloadProgress.measured() {
    ///     print(now.snapshot.fractionCompleted ?? 0, now.throughput ?? 0, now.estimatedTimeRemaining ?? .zero)
    /// }
    /// ```
    ///
    /// A loop gets a measurement at once, one more after each interval also where nothing moves, so that the rate of a transfer
    /// that stalls falls to zero, and the last. Bytes that a resumed download had already do not count for the rate.
    ///
    /// - Parameters:
    ///   - interval: From one measurement to the next; at least 10 milliseconds.
    ///   - window: How far the rate looks back; not less than the interval.
    ///   - clock: Who tells the time.
    public func measured(
        every interval: Duration = .milliseconds(500), over window: Duration = .seconds(10),
        clock: any Clock<Duration> = ContinuousClock()
    ) -> MeasuredProgress {
        let interval = Swift.max(interval.bounded, .milliseconds(10))
        return MeasuredProgress(
            progress: self, interval: interval, window: Swift.max(window.bounded, interval), clock: clock)
    }
}

/// The progress of a transfer with rate and time left: what ``TransferProgress/measured(every:over:clock:)`` gives.
///
/// Any number of loops may run at once; each begins with the latest and ends with the transfer.
public struct MeasuredProgress: AsyncSequence, Sendable {
    let progress: TransferProgress
    let interval: Duration
    let window: Duration
    let clock: any Clock<Duration>

    /// Begins to watch.
    public func makeAsyncIterator() -> AsyncStream<TransferProgress.Measurement>.Iterator {
        let (stream, observer) = AsyncStream.makeStream(
            of: TransferProgress.Measurement.self, bufferingPolicy: .bufferingNewest(1))
        let meter = TransferMeter(observer, window: window, clock: clock)
        let task = Task { [self] in
            let ticking = Task {
                while (try? await clock.sleep(for: interval)) != nil { meter.tick() }
            }
            for await snapshot in progress { meter.note(snapshot) }
            ticking.cancel()
            meter.end()
        }
        observer.onTermination = { _ in task.cancel() }
        return stream.makeAsyncIterator()
    }
}

/// What one loop over a ``MeasuredProgress`` has seen.
private final class TransferMeter: Sendable {
    private struct State: Sendable {
        var latest: TransferProgress.Snapshot?
        /// What was told last.
        var told: TransferProgress.Snapshot?
        var rate: TransferRate
    }

    private let observer: AsyncStream<TransferProgress.Measurement>.Continuation
    private let stopwatch: Stopwatch
    /// Guards the snapshot and the rate. Measurements are yielded under it, or a later one could be overtaken by an
    /// earlier; that only wakes a task, and calls nobody.
    private let state: Locked<State>

    init(
        _ observer: AsyncStream<TransferProgress.Measurement>.Continuation, window: Duration,
        clock: any Clock<Duration>
    ) {
        self.observer = observer
        stopwatch = Stopwatch(clock)
        state = Locked(State(rate: TransferRate(window: window)))
    }

    /// Keeps the latest; the first is told at once.
    func note(_ snapshot: TransferProgress.Snapshot) {
        let isFirst = state.withLock { state in
            defer { state.latest = snapshot }
            // A rate is of what was seen to pass, so it starts from what was there, also where the transfer starts over.
            return state.latest == nil || snapshot.completed < (state.latest?.completed ?? 0)
        }
        if isFirst { tick() }
    }

    func tick() {
        let moment = stopwatch.elapsed
        state.withLock { state in
            guard let latest = state.latest else { return }
            state.told = latest
            state.rate.add(latest.completed, at: moment)
            observer.yield(
                TransferProgress.Measurement(
                    snapshot: latest, throughput: state.rate.throughput,
                    estimatedTimeRemaining: state.rate.timeRemaining(of: latest.total)))
        }
    }

    func end() {
        if state.withLock({ $0.told != $0.latest }) { tick() }
        observer.finish()
    }
}
