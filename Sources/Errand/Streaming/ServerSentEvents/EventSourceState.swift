/// What an ``EventSource`` remembers from one connection to the next, and what it decides.
struct EventSourceState {
    /// What becomes of an answer.
    enum Verdict {
        /// Its body is read.
        case read
        /// The server wants no more connections.
        case end
        /// It is none that events come in.
        case fail(ErrandError)
    }

    /// What is done about a connection that is lost.
    enum Step {
        case connect(after: Duration)
        case fail(any Error)
    }

    /// What the next connection sends.
    private(set) var lastEventID: String
    private let policy: EventSourceReconnection
    private var reconnectionTime = Duration.zero
    private var attempts = 0
    private var schedule: RetrySchedule

    init(_ policy: EventSourceReconnection, lastEventID: String) {
        self.policy = policy
        self.lastEventID = lastEventID
        schedule = policy.schedule
    }

    /// What the next connection asks with.
    var fields: HeaderFields {
        var fields: HeaderFields = [.accept: ContentType.eventStream.essence, .cacheControl: "no-cache"]
        if !lastEventID.isEmpty { fields["Last-Event-ID"] = lastEventID }
        return fields
    }

    /// Looks at the head of an answer.
    func judge(statusCode: Int, contentType: ContentType?) -> Verdict {
        if statusCode == 204 { return .end }
        guard statusCode == 200 else {
            return .fail(ErrandError(.unacceptableStatusCode, reason: "\(statusCode) is not accepted"))
        }
        guard let contentType, ContentType.eventStream.includes(contentType) else {
            let what = contentType?.essence ?? "no content type"
            return .fail(
                ErrandError(.unacceptableContentType, reason: "\(what), not \(ContentType.eventStream)"))
        }
        return .read
    }

    /// Counts anew, since the connection works.
    mutating func eventCame() {
        attempts = 0
        schedule = policy.schedule
    }

    /// Remembers what the stream said of itself, though it was of no event.
    mutating func streamSaid(lastEventID: String, reconnectionTime: Duration?) {
        self.lastEventID = lastEventID
        if let reconnectionTime { self.reconnectionTime = reconnectionTime }
    }

    /// Decides what to do about a connection that is lost, or could not be made.
    ///
    /// - Parameters:
    ///   - error: Why.
    ///   - life: How long it was open.
    ///   - chance: A number from 0 to 1.
    mutating func lost(_ error: any Error, after life: Duration, chance: Double) -> Step {
        guard error.transportCode.map(policy.errorCodes.contains) ?? false else { return .fail(error) }
        if life >= max(policy.maximumWait, .seconds(1)) { eventCame() }
        guard attempts < policy.maximumAttempts else {
            return .fail(error.noting("given up after \(attempts) reconnections in a row without an event"))
        }
        attempts += 1
        let asked = min(reconnectionTime, max(policy.maximumServerWait, .zero))
        let own = schedule.next(asked: nil, chance: chance) ?? policy.maximumWait
        return .connect(after: (asked + own).bounded)
    }
}
