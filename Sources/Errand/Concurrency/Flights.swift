/// The state machine of ``SingleFlight``: every event returns what is to be done once the lock is released.
struct Flights<Key: Hashable & Sendable, Value: Sendable>: Sendable {
    typealias Waiter = Promise<Landing, any Error>

    /// What a waiter gets.
    struct Landing: Sendable {
        let value: Value
        /// Whether the flight was this waiter's own: it came first of those who stayed.
        let isOwn: Bool
    }

    enum Action: Sendable {
        case none
        case start(Int)
        case cancel([Task<Void, Never>])
        case resolve([Waiter], Result<Value, any Error>)
    }

    private struct Flight: Sendable {
        let key: Key
        var task: Task<Void, Never>?
        var waiters: [(ticket: Int, waiter: Waiter)] = []
        /// Whether it goes on when nobody waits.
        var isUnwatched: Bool
        var isAbandoned = false
    }

    private var flights: [Int: Flight] = [:]
    /// The flights that newcomers may join.
    private var open: [Key: Int] = [:]
    private var ticketHolders: [Int: Int] = [:]
    private var counted = 0

    /// How many go on though nobody waits.
    var unwatchedCount: Int { flights.values.count { $0.isUnwatched } }
    /// How many wait for one of them.
    var waiterCount: Int { ticketHolders.count }
    /// How many are under way, those included that nobody may join any more.
    var count: Int { flights.count }

    /// Waits with those who wait for a key already, or has a flight started.
    mutating func join(_ key: Key, _ waiter: Waiter) -> (ticket: Int, action: Action) {
        counted += 1
        let ticket = counted
        if let number = open[key] {
            flights[number]?.waiters.append((ticket, waiter))
            ticketHolders[ticket] = number
            return (ticket, .none)
        }
        let number = begin(key, isUnwatched: false)
        flights[number]?.waiters.append((ticket, waiter))
        ticketHolders[ticket] = number
        return (ticket, .start(number))
    }

    /// Has a flight started that nobody waits for, unless one is under way or there are as many as may be.
    mutating func beginUnwatched(_ key: Key, limit: Int) -> Action {
        guard open[key] == nil, unwatchedCount < limit else { return .none }
        return .start(begin(key, isUnwatched: true))
    }

    /// The task of a flight runs.
    mutating func started(_ number: Int, _ task: Task<Void, Never>) -> Action {
        guard let flight = flights[number] else { return .none }
        flights[number]?.task = task
        return flight.isAbandoned ? .cancel([task]) : .none
    }

    /// A waiter leaves; the last to leave cancels.
    mutating func leave(_ ticket: Int) -> Action {
        guard let number = ticketHolders.removeValue(forKey: ticket), var flight = flights[number] else { return .none }
        flight.waiters.removeAll { $0.ticket == ticket }
        flights[number] = flight
        guard flight.waiters.isEmpty, !flight.isUnwatched else { return .none }
        return .cancel(abandon(number))
    }

    /// A flight has ended.
    mutating func finish(_ number: Int, _ result: Result<Value, any Error>) -> Action {
        guard let flight = flights.removeValue(forKey: number) else { return .none }
        if open[flight.key] == number { open[flight.key] = nil }
        for (ticket, _) in flight.waiters { ticketHolders[ticket] = nil }
        return .resolve(flight.waiters.map(\.waiter), result)
    }

    /// Has nobody join the flights of these keys any more; those who wait already are not disturbed.
    mutating func close(_ isClosed: (Key) -> Bool) {
        open = open.filter { !isClosed($0.key) }
    }

    /// Cancels what nobody waits for.
    mutating func cancelUnwatched() -> Action {
        var tasks: [Task<Void, Never>] = []
        for number in flights.filter(\.value.isUnwatched).keys {
            flights[number]?.isUnwatched = false
            if flights[number]?.waiters.isEmpty == true { tasks += abandon(number) }
        }
        return .cancel(tasks)
    }

    private mutating func begin(_ key: Key, isUnwatched: Bool) -> Int {
        counted += 1
        flights[counted] = Flight(key: key, isUnwatched: isUnwatched)
        open[key] = counted
        return counted
    }

    /// A flight on its way to be cancelled is nothing to join.
    private mutating func abandon(_ number: Int) -> [Task<Void, Never>] {
        guard let flight = flights[number] else { return [] }
        flights[number]?.isAbandoned = true
        if open[flight.key] == number { open[flight.key] = nil }
        return flight.task.map { [$0] } ?? []
    }
}
