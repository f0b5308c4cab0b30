import Errand

/// A state machine that assigns turns to requests. Each event returns actions, which the caller performs after it has
/// released the lock.
///
/// Each request has a ticket, which is a unique number. Times are durations on one ``/Errand/Timeline``.
protocol AdmissionPolicy: Sendable {
    /// Adds a request, which waits until it is admitted or refused.
    mutating func arrive(_ arrival: Arrival, now: Duration) -> [TurnAction]

    /// Removes a request that was cancelled before it was informed of its turn. It may have been admitted already.
    mutating func withdraw(_ ticket: Int, now: Duration) -> [TurnAction]

    /// Records that a request has used its turn.
    mutating func finish(_ ticket: Int, now: Duration) -> [TurnAction]

    /// Records that the alarm fired.
    mutating func wake(now: Duration) -> [TurnAction]
}

/// A request that asks for a turn.
struct Arrival: Sendable {
    let ticket: Int
    /// The name that its ``LimitScope`` returned.
    var account = ""
    var priority = RequestPriority.normal
    /// The time at which the request stops waiting and fails; `nil` for none.
    var deadline: Duration?
}

/// An action that a state machine requires of its caller.
enum TurnAction: Hashable, Sendable {
    /// Lets the request with this ticket be sent.
    case admit(Int)
    /// Fails the request with this ticket.
    case refuse(Int, Refusal)
    /// Sets the time of the next ``AdmissionPolicy/wake(now:)``.
    case setAlarm(AlarmPlan.Setting)
}

/// The reason why a request gets no turn.
enum Refusal: Hashable, Sendable {
    /// The maximum number of requests already wait; the value is that number.
    case queueIsFull(Int)
    /// The request's time would pass before its turn, which would come after this duration.
    case turnComesTooLate(Duration)
    /// The queue was full, and a request of a higher priority took the place.
    case displaced
    /// The request's time passed before its turn.
    case timeIsOver
    /// The request's time passes before the end of a pause that became longer, or after a pause, while only a few
    /// requests are sent at the same time.
    case recoveryTakesTooLong
    /// The server accepts no request for this duration, which is longer than a request waits.
    case serverAsksForTooLong(Duration)

    /// The reason in error messages.
    var reason: String {
        switch self {
        case .queueIsFull(let count): "the queue is full: `queueLimit` allows \(count) waiting requests"
        case .turnComesTooLate(let wait): "its turn would come in \(wait.waitText), after its `resourceTimeout`"
        case .displaced: "the queue is full, and a request with a higher priority took this request's place"
        case .timeIsOver: "its `resourceTimeout` passed before its turn came"
        case .recoveryTakesTooLong: "its `resourceTimeout` or `maximumWait` passes before its turn after the pause"
        case .serverAsksForTooLong(let wait):
            "the server asks all requests to wait for \(wait.waitText), more than `maximumWait`"
        }
    }
}
