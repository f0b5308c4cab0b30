extension TransferProgress {
    /// The state of a transfer at one moment, with its rate and the estimated remaining time.
    public struct Measurement: Hashable, Sendable {
        /// The number of transferred bytes and the total.
        public var snapshot: Snapshot
        /// The bytes per second over the window; `nil` until time has passed.
        public var throughput: Double?
        /// The estimated time for the remaining bytes at this rate; zero when none remain. It is `nil` if the total is
        /// unknown, if the rate is unknown or zero, and if the time is 3,000,000,000 seconds or more.
        public var estimatedTimeRemaining: Duration?

        /// Creates a measurement.
        public init(snapshot: Snapshot, throughput: Double? = nil, estimatedTimeRemaining: Duration? = nil) {
            self.snapshot = snapshot
            self.throughput = throughput
            self.estimatedTimeRemaining = estimatedTimeRemaining
        }
    }

    /// Returns this progress with rate and remaining time, at an interval suitable for a display.
    ///
    /// ```swift
    /// for await now in request.downloadProgress.measured() {
    ///     print(now.snapshot.fractionCompleted ?? 0, now.throughput ?? 0, now.estimatedTimeRemaining ?? .zero)
    /// }
    /// ```
    ///
    /// A loop receives a measurement immediately, or when the first attempt begins, and when a later one counts from
    /// zero again. It also receives one after each interval, unless it is slower, and the last one. Measurements
    /// continue while no bytes are transferred, so that the rate of a stalled transfer falls to zero. Bytes that a
    /// resumed download already has do not count toward the rate. Any number of loops may run at once.
    ///
    /// - Parameters:
    ///   - interval: The time between two measurements; half a second by default, at least 10 milliseconds.
    ///   - window: The time over which the rate is computed; 10 seconds by default, at least the interval. If it has
    ///     more than 1,000 measurements, only the latest 1,000 count.
    ///   - clock: The clock that measures the time.
    public func measured(
        every interval: Duration = .milliseconds(500), over window: Duration = .seconds(10),
        clock: any Clock<Duration> = ContinuousClock()
    ) -> some AsyncSequence<Measurement, Never> & Sendable {
        let interval = Swift.max(interval.bounded, .milliseconds(10))
        return MeasuredProgress(
            progress: self, interval: interval, window: Swift.max(window.bounded, interval), clock: clock)
    }
}

/// The progress of a transfer with rate and remaining time.
private struct MeasuredProgress: AsyncSequence, Sendable {
    let progress: TransferProgress
    let interval: Duration
    let window: Duration
    let clock: any Clock<Duration>

    /// Creates an iterator and starts to measure.
    func makeAsyncIterator() -> AsyncStream<TransferProgress.Measurement>.Iterator {
        let (stream, observer) = AsyncStream.makeStream(
            of: TransferProgress.Measurement.self, bufferingPolicy: .bufferingNewest(1))
        let meter = TransferMeter(observer, window: window, clock: clock)
        // The task must not keep the progress itself, whose release ends the loops over a request that is never sent.
        let task = Task { [clock, interval, snapshots = progress.snapshots] in
            let ticking = Task {
                while (try? await clock.sleep(for: interval)) != nil { meter.tick() }
            }
            for await snapshot in snapshots { meter.note(snapshot) }
            ticking.cancel()
            meter.end()
        }
        observer.onTermination = { _ in task.cancel() }
        return stream.makeAsyncIterator()
    }
}

/// The measurements of one loop over a ``MeasuredProgress``.
private final class TransferMeter: Sendable {
    private struct State: Sendable {
        var latest: TransferProgress.Snapshot?
        /// The snapshot of the last measurement.
        var reported: TransferProgress.Snapshot?
        var rate: TransferRate
    }

    private let observer: AsyncStream<TransferProgress.Measurement>.Continuation
    private let timeline: Timeline
    /// The lock guards the snapshot and the rate. Measurements are yielded under the lock, so that they stay in order.
    /// Yielding only wakes a task, and calls no other code.
    private let state: Locked<State>

    init(
        _ observer: AsyncStream<TransferProgress.Measurement>.Continuation, window: Duration,
        clock: any Clock<Duration>
    ) {
        self.observer = observer
        timeline = Timeline(clock)
        state = Locked(State(rate: TransferRate(window: window)))
    }

    /// Stores the latest snapshot. The first one is yielded immediately, and so is the first of a transfer that starts
    /// over.
    func note(_ snapshot: TransferProgress.Snapshot) {
        let isFirst = state.withLock { state in
            defer { state.latest = snapshot }
            // The rate covers only observed bytes, so it starts at the first snapshot, and again when the transfer
            // starts over.
            return state.latest.map { snapshot.completed < $0.completed } ?? true
        }
        if isFirst { tick() }
    }

    /// Yields a measurement of the latest snapshot, if there is one.
    func tick() {
        let moment = timeline.now
        state.withLock { state in
            guard let latest = state.latest else { return }
            state.reported = latest
            state.rate.add(latest.completed, at: moment)
            observer.yield(
                TransferProgress.Measurement(
                    snapshot: latest, throughput: state.rate.throughput,
                    estimatedTimeRemaining: state.rate.timeRemaining(of: latest.total)))
        }
    }

    /// Yields the last snapshot, if it was not measured yet, and ends the loop.
    func end() {
        if state.withLock({ $0.reported != $0.latest }) { tick() }
        observer.finish()
    }
}

/// The rate of a transfer over a window of time that ends now.
struct TransferRate: Sendable {
    private struct Sample {
        var moment: Duration
        var completed: Int64
    }

    /// The maximum number of samples, regardless of how often they are taken.
    private static let sampleLimit = 1_000

    private let window: Duration
    private var samples: [Sample] = []

    /// - Parameter window: The time over which the rate is computed.
    init(window: Duration) {
        self.window = window
    }

    /// Adds the number of transferred bytes at a moment.
    mutating func add(_ completed: Int64, at time: Duration) {
        // Two tasks can measure at the same time, and the later moment can then be added first.
        let moment = max(time, samples.last?.moment ?? time)
        // A transfer that starts over has a new rate.
        if let last = samples.last, completed < last.completed { samples = [] }
        samples.append(Sample(moment: moment, completed: completed))
        // Keeps one sample at or before the start of the window, so that the rate covers the whole window.
        while samples.count > 2, samples[1].moment <= moment - window || samples.count > Self.sampleLimit {
            samples.removeFirst()
        }
    }

    /// The bytes per second; `nil` until time has passed.
    var throughput: Double? {
        guard let first = samples.first, let last = samples.last, last.moment > first.moment else { return nil }
        return Double(last.completed - first.completed) / ((last.moment - first.moment) / .seconds(1))
    }

    /// Returns the estimated time for the remaining bytes at this rate, if it is known.
    func timeRemaining(of total: Int64?) -> Duration? {
        guard let total, let last = samples.last else { return nil }
        if last.completed >= total { return .zero }
        guard let throughput, throughput > 0 else { return nil }
        let seconds = Double(total - last.completed) / throughput
        // A time over 95 years is not useful, and may exceed the range of a duration.
        return seconds < 3e9 ? .seconds(seconds) : nil
    }
}
