/// A stopwatch that measures the time since its creation, on a clock of any type.
struct Stopwatch: Sendable {
    private let read: @Sendable () -> Duration

    /// Starts the measurement.
    init(_ clock: any Clock<Duration>) {
        func start(_ clock: some Clock<Duration>) -> @Sendable () -> Duration {
            let start = clock.now
            return { start.duration(to: clock.now) }
        }
        read = start(clock)
    }

    /// The time since the creation, at most a hundred years.
    var elapsed: Duration { read().bounded }
}
