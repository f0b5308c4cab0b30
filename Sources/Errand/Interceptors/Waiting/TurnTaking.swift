/// A state machine that gives turns to whoever comes, each event with what is to be done once the lock is released.
///
/// Whoever comes has a ticket, a number of its own. Times are spans on one ``Timeline``.
protocol TurnTaking: Sendable {
    /// Somebody has come, and waits until it is admitted or refused.
    mutating func arrive(_ arrival: Arrival, now: Duration) -> [TurnAction]

    /// Somebody has gone without using its turn: also one that was admitted, and has not heard of it.
    mutating func withdraw(_ ticket: Int, now: Duration) -> [TurnAction]

    /// Somebody has used its turn.
    mutating func finish(_ ticket: Int, now: Duration) -> [TurnAction]

    /// The alarm went off.
    mutating func wake(now: Duration) -> [TurnAction]
}

/// Somebody who wants a turn.
struct Arrival: Sendable {
    let ticket: Int
    /// The name that its ``LimitScope`` gave it.
    var account = ""
    var priority = RequestPriority.normal
    /// When it gives up.
    var deadline: Duration?
}

/// What is to be done after an event.
enum TurnAction: Hashable, Sendable {
    case admit(Int)
    case refuse(Int, Refusal)
    case setAlarm(AlarmPlan.Setting)
}

/// Why somebody gets no turn.
enum Refusal: Hashable, Sendable {
    /// So many wait already, and no more may.
    case queueIsFull(Int)
    /// Its turn would come in so long, and its time be over by then.
    case turnComesTooLate(Duration)
    /// The line was full, and a request of a higher priority took its place.
    case gaveWay
    /// Its time was over before its turn came.
    case timeIsOver
    /// The server wants no request for so long, which is more than a request waits.
    case serverAsksForTooLong(Duration)

    /// One sentence about it.
    var reason: String {
        switch self {
        case .queueIsFull(let count): "\(count) requests wait already, and no more may"
        case .turnComesTooLate(let wait): "its turn would come in \(wait.secondsText), after its `resourceTimeout`"
        case .gaveWay: "the line is full, and a request of a higher priority took its place"
        case .timeIsOver: "its `resourceTimeout` passed before its turn came"
        case .serverAsksForTooLong(let wait): "the server asks all requests to wait for \(wait.secondsText)"
        }
    }
}
