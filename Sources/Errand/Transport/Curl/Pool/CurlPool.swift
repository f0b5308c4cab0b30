#if canImport(CCurl)
/// Decides which requests are given to libcurl and which wait, while libcurl itself chooses, opens and keeps the
/// connections. Each origin has a limit, and so have all origins together. After these limits, priority decides, then
/// the order of arrival.
///
/// A pure value without I/O, clock and handles: the loop reports what has happened, and starts what
/// ``next(connections:_:)`` returns. Times are in nanoseconds of ``Monotonic``.
///
/// A request that ends while it waits stays in the queue of its origin until it is reached. The cost of a step thus
/// does not grow with the number of requests that wait.
struct CurlPool {
    /// The number that a request has from its submission to its end. After that, another request may get it.
    typealias RequestID = Int

    /// A request that is to be given to libcurl.
    struct Start: Equatable {
        var request: RequestID
        /// Whether the request waits for a connection of another one that may turn out to carry both.
        var waitsForSharedConnection = true
        /// Whether the origin uses HTTP/2. Then libcurl must act on the request before the next one is started, which
        /// shows whether a connection has room for it.
        var usesStreams = false
        /// The time since which the origin is known to have no connection; `nil` otherwise.
        var unreachedSince: UInt64?
        /// Whether the connection is closed after this request, because others are more likely to be used again.
        var isOnlyUse = false
        /// The entries of libcurl's host table that remove the addresses of hosts that are no longer recent.
        var removals: [String] = []
    }

    /// The facts about its origin that decide how long a waiting request waits.
    struct Patience: Equatable {
        /// The time at which a request that waited was last started while the origin had a connection.
        var movedAt: UInt64 = 0
        /// The time since which the origin is known to have no connection; `nil` otherwise.
        var unreachedSince: UInt64?
    }

    /// What libcurl has done for a request.
    enum Event {
        /// It began to open a connection.
        case opening
        /// It has a connection, and is about to send the request.
        case connected(ConnectionID?, CurlOrigin.Sharing)
    }

    private struct Request {
        enum State { case none, waits, runs, isConnected }

        var state = State.none
        /// The index in ``origins``.
        var origin = 0
        /// The position in the order of arrival, if the request waits.
        var arrival = 0
        /// The time at which it was given to libcurl.
        var started: UInt64 = 0
        var connection: ConnectionID?
    }

    private let originLimit: Int
    private let limit: Int
    /// Returns how many requests a connection to an origin can carry, if that is known before there is one.
    private let sharing: (String) -> CurlOrigin.Sharing
    /// The requests, at their numbers.
    private var requests: [Request] = []
    /// The number of requests that are with libcurl.
    private var running = 0
    private var waiting = 0
    /// The number of requests that were put into a queue, which numbers them.
    private var arrivals = 0
    /// The request that was submitted last, if it need not wait and was not returned yet.
    private var admitted: RequestID?
    /// The origins with requests, and unused places.
    private var origins: [CurlOrigin] = []
    private var unusedPlaces: [Int] = []
    /// The indexes in ``origins`` by name.
    private var places: [String: Int] = [:]
    /// The origin of the latest request, which is usually also that of the next one, and its spelling.
    private var latest: (name: String, spelling: OriginSpelling, place: Int)?
    /// The origins that have room for their first waiting request. May also have places that are no longer valid.
    private var ready = ReadyQueue()
    private var recentHosts: CurlRecentHosts
    private var silences = Silences()

    /// Creates a pool with the limits of a configuration.
    ///
    /// - Parameter sharing: Returns how many requests a connection to an origin can carry, if that is known before
    ///   there is one.
    init(
        _ configuration: CurlConfiguration, sharing: @escaping (_ origin: String) -> CurlOrigin.Sharing = { _ in .none }
    ) {
        originLimit = max(configuration.maximumConnectionsPerHost, 1)
        limit = max(configuration.maximumConnections, 1)
        self.sharing = sharing
        recentHosts = CurlRecentHosts(configuration)
    }

    var isIdle: Bool { running == 0 && waiting == 0 }

    /// Returns whether a request waits for its turn.
    func isWaiting(_ id: RequestID) -> Bool { id < requests.count && requests[id].state == .waits }

    /// Returns the facts that decide how long a waiting request waits.
    func patience(of id: RequestID) -> Patience {
        let origin = origins[requests[id].origin]
        return Patience(movedAt: origin.movedAt, unreachedSince: origin.unreachedSince)
    }
}

// What happens to requests.
extension CurlPool {
    /// A request is to be sent. It waits, or the next call of ``next(connections:_:)`` returns it.
    mutating func submit(_ id: RequestID, to url: String, _ priority: RequestPriority, _ now: UInt64) {
        while requests.count <= id { requests.append(Request()) }
        let place = place(of: url, now)
        requests[id] = Request(state: .waits, origin: place)
        waiting += 1
        origins[place].waiting += 1
        if admitted == nil, ready.isEmpty, running < limit, hasRoom(place) {
            run(id)
            admitted = id
        } else {
            arrivals += 1
            requests[id].arrival = arrivals
            origins[place].add(CurlOrigin.Waiting(request: id, priority: priority, arrival: arrivals))
            makeReady(place)
        }
    }

    /// libcurl has done something for a request that is with it.
    ///
    /// - Parameter completed: Requests whose transfers are over, and that have not ended here yet.
    mutating func took(_ event: Event, for id: RequestID, completed: some Sequence<RequestID>, _ now: UInt64) {
        guard isRunning(id) else { return }
        let place = requests[id].origin
        switch event {
        case .opening:
            let ended = completed.count { requests[$0].state != .none && requests[$0].origin == place }
            origins[place].opening(id, ended: ended, now)
        case .connected(let connection, let sharing):
            if requests[id].state == .runs { origins[place].connected += 1 }
            requests[id].state = .isConnected
            requests[id].connection = connection
            origins[place].reached(by: id, sharing: sharing)
            makeReady(place)
        }
    }

    /// libcurl gives up a request that has no connection. Reported before its end.
    mutating func failedToConnect(_ id: RequestID, _ now: UInt64) {
        guard isRunning(id), origins[requests[id].origin].connected == 0 else { return }
        origins[requests[id].origin].unreached(now)
        makeReady(requests[id].origin)
    }

    /// Returns the requests that are with libcurl without a connection, and to the same origin as another one: libcurl
    /// may make them wait for its connection.
    func companions(of id: RequestID) -> [RequestID] {
        guard isRunning(id) else { return [] }
        return requests.indices.filter {
            $0 != id && requests[$0].state == .runs && requests[$0].origin == requests[id].origin
        }
    }

    /// A request got no response in time. Reported before its end.
    ///
    /// If other requests use its connection, the server may just be slow. Then the connection is given up only after a
    /// longer silence, which begins with the first request of a series without a response.
    ///
    /// - Parameter lastReceived: The time at which its connection was opened, or data last arrived on it.
    /// - Returns: The beginning of the silence of its connection, if this must not be used again.
    mutating func timedOut(_ id: RequestID, lastReceived: UInt64, _ now: UInt64) -> UInt64? {
        guard isRunning(id), let connection = requests[id].connection else { return nil }
        let isShared = requests.indices.contains { $0 != id && requests[$0].connection == connection }
        return silences.timedOut(
            over: connection, startedAt: requests[id].started, isShared: isShared, lastReceived: lastReceived, now)
    }

    /// A request has ended, or waits for something else.
    mutating func ended(_ id: RequestID) {
        guard id < requests.count, requests[id].state != .none else { return }
        let (place, state) = (requests[id].origin, requests[id].state)
        requests[id] = Request()
        if state == .waits {
            waiting -= 1
            origins[place].waiting -= 1
        } else {
            running -= 1
            origins[place].running -= 1
            if state == .isConnected { origins[place].connected -= 1 }
            if admitted == id { admitted = nil }
            origins[place].settled(id)
        }
        makeReady(place)
        forgetIfEmpty(place)
    }

    /// Returns the next request that is to be given to libcurl.
    ///
    /// - Parameter connections: The number of connections that libcurl has.
    mutating func next(connections: Int, _ now: UInt64) -> Start? {
        guard let id = admitted ?? nextWaiting(now) else { return nil }
        admitted = nil
        requests[id].started = now
        let origin = origins[requests[id].origin]
        let use = use(of: origin.name)
        // With few connections, also the new one to a rare host is kept.
        let isCrowded = max(connections + 1, running) > limit / 2
        return Start(
            request: id, waitsForSharedConnection: !origin.hasFailed, usesStreams: origin.sharing == .streams,
            unreachedSince: origin.unreachedSince, isOnlyUse: use.isFirst && isCrowded && !origin.hasOthers,
            removals: use.removals)
    }

    private mutating func nextWaiting(_ now: UInt64) -> RequestID? {
        while running < limit, let next = ready.takeFirst() {
            let place = next.origin
            // If a more urgent request has arrived, the origin has another place in the queue.
            guard origins[place].readyArrival == next.arrival else { continue }
            origins[place].readyArrival = 0
            // If the request of this place has ended, the next one gets another place.
            guard hasRoom(place), let first = first(of: place), first.arrival == next.arrival else {
                makeReady(place)
                continue
            }
            origins[place].removeFirst(first)
            // A start counts as activity for those that still wait, but not while they wait for the first connection.
            if origins[place].unreachedSince == nil { origins[place].movedAt = now }
            run(first.request)
            makeReady(place)
            return first.request
        }
        return nil
    }
}

// Requests and their origins.
extension CurlPool {
    private func isRunning(_ id: RequestID) -> Bool {
        id < requests.count && (requests[id].state == .runs || requests[id].state == .isConnected)
    }

    private func hasRoom(_ place: Int) -> Bool { origins[place].hasRoom(originLimit) }

    /// Counts a waiting request as one that is with libcurl.
    private mutating func run(_ id: RequestID) {
        let place = requests[id].origin
        requests[id].state = .runs
        waiting -= 1
        origins[place].waiting -= 1
        running += 1
        origins[place].running += 1
    }

    /// Returns the first waiting request of an origin. Forgets those before it that have ended.
    private mutating func first(of place: Int) -> CurlOrigin.Waiting? {
        while let first = origins[place].first {
            let request = requests[first.request]
            if request.state == .waits, request.arrival == first.arrival { return first }
            origins[place].removeFirst(first)
        }
        return nil
    }

    /// Adds an origin to the ready queue if it has a waiting request and is below its limit.
    private mutating func makeReady(_ place: Int) {
        guard origins[place].waiting > 0, hasRoom(place), let first = first(of: place),
            first.arrival != origins[place].readyArrival
        else { return }
        origins[place].readyArrival = first.arrival
        ready.add(ReadyQueue.Place(priority: first.priority.rawValue, arrival: first.arrival, origin: place))
    }

    /// Returns the place of the origin of a URL, which is usually the same as that of the latest request.
    private mutating func place(of url: String, _ now: UInt64) -> Int {
        if let latest, latest.spelling.isSpelling(of: url) {
            // Without requests, the origin was forgotten.
            if !origins[latest.place].isEmpty, origins[latest.place].name == latest.name { return latest.place }
            let place = place(named: latest.name, now)
            self.latest?.place = place
            return place
        }
        let name = CurlOrigin.name(of: url)
        let place = place(named: name, now)
        latest = (name, OriginSpelling(of: url), place)
        return place
    }

    private mutating func place(named name: String, _ now: UInt64) -> Int {
        if let place = places[name] { return place }
        let origin = CurlOrigin(name, sharing: sharing(name), now)
        let place = unusedPlaces.popLast() ?? origins.count
        if place == origins.count { origins.append(origin) } else { origins[place] = origin }
        places[name] = place
        return place
    }

    /// Forgets an origin without requests.
    private mutating func forgetIfEmpty(_ place: Int) {
        guard origins[place].isEmpty, places.removeValue(forKey: origins[place].name) != nil else { return }
        unusedPlaces.append(place)
    }

    /// Records the use of an origin's host.
    private mutating func use(of origin: String) -> CurlRecentHosts.Use {
        let places = places
        return recentHosts.use(origin) { host in
            // An entry of libcurl's host table is for both schemes.
            ["http", "https"].contains { places["\($0)://\(host)"] != nil }
        }
    }
}

/// The silences of connections whose requests got no response in time while other requests used them.
private struct Silences {
    /// The time at which each silence began.
    private var starts: [ConnectionID: UInt64] = [:]

    /// The silence after which a connection with several requests is given up: 5 seconds.
    private static let limit: UInt64 = 5_000_000_000
    private static let capacity = 1_024

    /// Records that a request got no response in time, and returns the beginning of the silence if it is too long.
    mutating func timedOut(
        over connection: ConnectionID, startedAt started: UInt64, isShared: Bool, lastReceived: UInt64, _ now: UInt64
    ) -> UInt64? {
        let starts = [starts.removeValue(forKey: connection), started].compactMap(\.self)
        guard let start = starts.filter({ lastReceived < $0 }).min() else { return nil }
        if !isShared || now - start >= Self.limit { return start }
        // The silence of a connection that was closed is not needed any more.
        if self.starts.count >= Self.capacity { self.starts.removeAll() }
        self.starts[connection] = start
        return nil
    }
}
#endif
