/// When an ``EventSource`` connects again, and when it gives up.
///
/// ```swift
/// var policy = EventSourceReconnection()
/// policy.maximumSilence = .seconds(45)
/// for try await event in request.sendStream().events(reconnection: policy) { … }
/// ```
///
/// It waits as long as the server asked for by `retry:`, and on top of it as the ``backoff`` says, which begins anew with
/// each event. Nonsense is set right: negative counts and waits are none.
public struct EventSourceReconnection: Sendable {
    /// How the waits grow from one attempt to the next: full jitter from one second by default, so that clients which lost
    /// a server together do not come back together.
    public var backoff = RetryPolicy.Backoff.exponential(base: .seconds(1))
    /// The longest wait of the backoff; 30 seconds by default.
    ///
    /// A connection that has lived as long is taken for one that worked, also where it brought no event.
    public var maximumWait = Duration.seconds(30)
    /// The longest wait that a server may ask for by `retry:`; 60 seconds by default. One that asks for more is asked again
    /// after this long. With zero, servers are not heeded.
    public var maximumServerWait = Duration.seconds(60)
    /// How often in a row it connects again without getting an event; 10 by default.
    ///
    /// Then it fails as the last attempt did. With 0, the first loss is the failure; with `Int.max` it never gives up.
    public var maximumAttempts = 10
    /// How long the server may send nothing, not even a comment, before the connection is given up and made anew; nil by
    /// default, for as long as ``APIBase/timeoutInterval`` allows. Zero and less count as nil.
    ///
    /// A longer one needs a longer `timeoutInterval` too.
    public var maximumSilence: Duration?
    /// What the transport may have said for it to connect again: that there was no name, no connection, no network, none
    /// any more, no answer in time, or none that can be read.
    public var errorCodes: Set<URLError.Code> = [
        .cannotConnectToHost, .cannotFindHost, .cannotParseResponse, .dnsLookupFailed, .networkConnectionLost,
        .notConnectedToInternet, .timedOut,
    ]
    /// Who tells the time.
    public var clock: any Clock<Duration> = ContinuousClock()
    /// Where chance comes from: numbers from 0 to 1. Others count as the nearest of these, and no number at all as 1.
    public var random: @Sendable () -> Double = { .random(in: 0..<1) }

    /// A policy with these defaults.
    public init() {}

    /// The waits between attempts, from the first on, without what the server asks for.
    var schedule: RetrySchedule { RetrySchedule(reconnecting: backoff, maximumWait: maximumWait) }
}
