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
    /// The clock that measures the waits, the silence, and the time for which a connection is open.
    public var clock: any Clock<Duration> = ContinuousClock()
    /// The source of random numbers from 0 to 1. A number outside this range counts as the nearest bound, and NaN as 1.
    public var random: @Sendable () -> Double = { .random(in: 0..<1) }

    /// Creates a policy with the default values.
    public init() {}

    /// The waits of the backoff, from the first attempt on, without the server's `retry:` time.
    var schedule: RetrySchedule { RetrySchedule(reconnecting: backoff, maximumWait: maximumWait) }
}

/// The state machine of an ``EventSource``, which outlives its connections.
struct EventSourceState {
    /// The decision about a response.
    enum Verdict {
        /// The body is read.
        case read
        /// The server ended the events, and the source does not reconnect.
        case end
        /// The response is not a stream of events.
        case fail(ErrandError)
    }

    /// The decision about a lost connection.
    enum Step {
        case connect(after: Duration)
        case fail(any Error)
    }

    /// The maximum length of an ID that is sent, in bytes: 16 KiB. Common servers reject a longer head.
    private static let longestID = 16 << 10

    /// The value of `Last-Event-ID` for the next connection.
    private(set) var lastEventID: String
    private let policy: EventSourceReconnection
    /// The last `retry:` time of the server.
    private var reconnectionTime = Duration.zero
    /// The number of consecutive reconnections without an event.
    private var attempts = 0
    private var schedule: RetrySchedule

    init(_ policy: EventSourceReconnection, lastEventID: String) {
        self.policy = policy
        self.lastEventID = lastEventID
        schedule = policy.schedule
    }

    /// The header fields of the next request.
    ///
    /// An ID that is invalid in a field value, or too long, is omitted. The server chose it, and must not be able to
    /// end the events with an ID that cannot be sent.
    var fields: HeaderFields {
        var fields: HeaderFields = [.accept: ContentType.eventStream.essence, .cacheControl: "no-cache"]
        if !lastEventID.isEmpty, lastEventID.isHTTPFieldValue, lastEventID.utf8.count <= Self.longestID {
            fields["Last-Event-ID"] = lastEventID
        }
        return fields
    }

    /// Decides about a response by its head.
    func judge(statusCode: Int, contentType: ContentType?) -> Verdict {
        if statusCode == 204 { return .end }
        guard statusCode == 200 else {
            return .fail(
                ErrandError(.unacceptableStatusCode, reason: "the status is \(statusCode); an event stream needs 200"))
        }
        guard let contentType, ContentType.eventStream.includes(contentType) else {
            let what = contentType?.essence ?? "no content type"
            return .fail(
                ErrandError(.unacceptableContentType, reason: "\(what), not \(ContentType.eventStream)"))
        }
        return .read
    }

    /// Starts the attempts and their waits again, since the connection works.
    mutating func resetAttempts() {
        attempts = 0
        schedule = policy.schedule
    }

    /// Stores the last event ID and the reconnection time of the stream, which may change without an event.
    mutating func store(lastEventID: String, reconnectionTime: Duration?) {
        self.lastEventID = lastEventID
        if let reconnectionTime { self.reconnectionTime = reconnectionTime }
    }

    /// Decides what to do after a connection was lost or could not be opened.
    ///
    /// - Parameters:
    ///   - error: The error that ended the connection.
    ///   - life: The time for which the connection was open.
    ///   - chance: A random number from 0 to 1.
    mutating func lost(_ error: any Error, after life: Duration, chance: Double) -> Step {
        guard error.transportCode.map(policy.errorCodes.contains) ?? false else { return .fail(error) }
        if life >= max(policy.maximumWait, .seconds(1)) { resetAttempts() }
        guard attempts < policy.maximumAttempts else {
            return .fail(error.noting("given up after \(attempts) reconnections in a row without an event"))
        }
        attempts += 1
        let serverWait = min(reconnectionTime, max(policy.maximumServerWait, .zero))
        // The schedule of reconnections has no end, so it always returns a wait.
        let backoffWait = schedule.next(serverWait: nil, chance: chance) ?? policy.maximumWait
        return .connect(after: (serverWait + backoffWait).bounded)
    }
}
