/// The rules by which an ``EventSource`` reconnects and gives up.
///
/// ```swift
/// var policy = EventSourceReconnection()
/// policy.maximumSilence = .seconds(45)
/// for try await event in request.sendStream().eventSource(reconnection: policy) { … }
/// ```
///
/// The wait before an attempt is the sum of the server's `retry:` time and the wait of the ``backoff``, which starts
/// again after each event. Negative counts and durations count as zero.
public struct EventSourceReconnection: Sendable {
    /// The growth of the waits from one attempt to the next; by default exponential from one second. Full jitter keeps
    /// clients that lost a server together from reconnecting at the same time.
    public var backoff = RetryPolicy.Backoff.exponential(base: .seconds(1))
    /// The longest wait of the backoff; 30 seconds by default.
    ///
    /// A connection that was open for at least this long, and for at least one second, counts as successful, even
    /// without an event.
    public var maximumWait = Duration.seconds(30)
    /// The longest wait that a server may set by `retry:`; 60 seconds by default. A longer time counts as this one.
    /// With zero, the source ignores `retry:`.
    public var maximumServerWait = Duration.seconds(60)
    /// The number of consecutive reconnections without an event after which the source gives up; 10 by default.
    ///
    /// The source then fails with the error of the last attempt. With 0, it fails at the first lost connection. With
    /// `Int.max`, it never gives up.
    public var maximumAttempts = 10
    /// The longest time for which the server may send nothing, not even a comment, before the source reconnects. With
    /// `nil`, the default, ``APIBase/timeoutInterval`` alone applies. Zero and negative values count as `nil`.
    ///
    /// A silence longer than `timeoutInterval` requires a longer `timeoutInterval` too.
    public var maximumSilence: Duration?
    /// The transport errors after which the source reconnects. By default these are failed name lookups and
    /// connections, no network, lost connections, timeouts and responses that cannot be parsed.
    public var errorCodes: Set<URLError.Code> = [
        .cannotConnectToHost, .cannotFindHost, .cannotParseResponse, .dnsLookupFailed, .networkConnectionLost,
        .notConnectedToInternet, .timedOut,
    ]
    /// The clock that measures the waits and the silence.
    public var clock: any Clock<Duration> = ContinuousClock()
    /// The source of random numbers from 0 to 1. A number outside this range counts as the nearest bound, and NaN as 1.
    public var random: @Sendable () -> Double = { .random(in: 0..<1) }

    /// Creates a policy with the default values.
    public init() {}

    /// The waits of the backoff, from the first attempt on, without the server's `retry:` time.
    var schedule: RetrySchedule { RetrySchedule(reconnecting: backoff, maximumWait: maximumWait) }
}
