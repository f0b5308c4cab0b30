#if canImport(CCurl)
/// The queue of transfers that wait for a connection. Each origin has a limit, and so have all origins together. After
/// these limits, priority decides, then the order of arrival.
///
/// It does no I/O: the loop acts on its results. A transfer that ends while it waits stays in its queue until it is
/// reached. The cost of a step thus does not grow with the number of transfers that wait.
struct CurlAdmission {
    private let originLimit: Int
    private let limit: Int
    /// Returns how many requests a connection to an origin can carry, if that is known before there is one.
    private let sharing: (String) -> CurlOrigin.Sharing
    /// The number of active transfers: those that were started and not released.
    private var running = 0
    /// The number of transfers that were put into a queue, which numbers them.
    private var arrivals = 0
    /// The origins with active or waiting transfers, by name.
    private var origins: [String: CurlOrigin] = [:]
    /// The origin of the latest request, which is usually also that of the next one.
    private var latest: CurlOrigin?
    /// The origins with waiting transfers.
    private var waitingOrigins: [ObjectIdentifier: CurlOrigin] = [:]
    /// Those of ``waitingOrigins`` that are below their own limit, in the order of their first transfers. May also have
    /// places that are no longer valid, which ``next(_:)`` skips.
    private var ready = ReadyQueue()

    /// Creates a queue with limits on the active transfers of one origin and of all origins.
    init(
        originLimit: Int, limit: Int, sharing: @escaping (_ origin: String) -> CurlOrigin.Sharing = { _ in .none }
    ) {
        self.originLimit = originLimit
        self.limit = limit
        self.sharing = sharing
    }

    var isIdle: Bool { running == 0 && waitingOrigins.values.allSatisfy { $0.first == nil } }

    /// Returns whether a host, as `host:port`, has active or waiting transfers.
    func isUsing(_ host: String) -> Bool { ["http", "https"].contains { origins["\($0)://\(host)"] != nil } }

    /// The waiting transfers, in no particular order.
    var waiting: [CurlTransfer] { waitingOrigins.values.flatMap(\.waiting) }

    /// Adds a transfer.
    ///
    /// - Returns: Whether the transfer may start now; otherwise it waits until ``next(_:)`` returns it.
    mutating func admit(_ transfer: CurlTransfer, to url: String) -> Bool {
        let origin = origin(of: url, transfer.now)
        transfer.origin = origin
        if running < limit, hasRoom(origin), origin.first == nil {
            start(origin)
            return true
        }
        arrivals += 1
        transfer.arrival = arrivals
        origin.add(transfer)
        waitingOrigins[ObjectIdentifier(origin)] = origin
        makeReady(origin)
        return false
    }

    /// Returns the origin of a URL, which is usually the same as that of the latest request.
    private mutating func origin(of url: String, _ now: UInt64) -> CurlOrigin {
        if let latest, latest.owns(url) {
            // Without an active transfer, the origin may have been removed from ``origins``.
            if latest.running > 0 { return latest }
            return origin(named: latest.name, at: url, now)
        }
        return origin(named: CurlOrigin.name(of: url), at: url, now)
    }

    private mutating func origin(named name: String, at url: String, _ now: UInt64) -> CurlOrigin {
        let origin = origins[name] ?? CurlOrigin(name, sharing: sharing(name), now)
        origin.note(url)
        origins[name] = origin
        latest = origin
        return origin
    }

    private mutating func start(_ origin: CurlOrigin) {
        running += 1
        origin.running += 1
    }

    /// Frees the place of an active transfer.
    mutating func release(_ transfer: CurlTransfer) {
        guard let origin = transfer.origin else { return }
        transfer.origin = nil
        origin.noteSettled(transfer)
        running -= 1
        origin.running -= 1
        makeReady(origin)
        forgetIfEmpty(origin)
    }

    /// Records that a transfer has a connection.
    ///
    /// - Parameter sharing: How many requests the connection can carry, if that is known.
    mutating func connected(_ transfer: CurlTransfer, sharing: CurlOrigin.Sharing) {
        guard let origin = transfer.origin else { return }
        origin.noteReached(by: transfer, sharing: sharing)
        makeReady(origin)
    }

    /// Returns the next transfer that may start, which counts as active from now on.
    mutating func next(_ now: UInt64) -> CurlTransfer? {
        while running < limit, let place = ready.takeFirst() {
            let origin = place.origin
            // If a more urgent transfer has arrived, the origin has another place in the queue.
            guard origin.readyArrival == place.arrival else { continue }
            origin.readyArrival = 0
            guard hasRoom(origin), let first = origin.first else {
                forgetIfEmpty(origin)
                continue
            }
            // If the transfer of this place has ended, the next one gets another place.
            guard first.arrival == place.arrival, let transfer = origin.takeFirst() else {
                makeReady(origin)
                continue
            }
            // A start counts as activity for those that still wait, but not while they wait for the first connection.
            if origin.unreachedSince == nil { origin.movedAt = now }
            start(origin)
            makeReady(origin)
            forgetIfEmpty(origin)
            return transfer
        }
        return nil
    }

    /// Adds an origin to the ready queue if it has a waiting transfer and is below its limit.
    private mutating func makeReady(_ origin: CurlOrigin) {
        guard hasRoom(origin), let first = origin.first, first.arrival != origin.readyArrival else { return }
        origin.readyArrival = first.arrival
        ready.add(ReadyQueue.Place(priority: first.request.priority.rawValue, arrival: first.arrival, origin: origin))
    }

    /// Forgets an origin that has neither active nor waiting transfers.
    private mutating func forgetIfEmpty(_ origin: CurlOrigin) {
        guard origin.first == nil else { return }
        if !waitingOrigins.isEmpty { waitingOrigins[ObjectIdentifier(origin)] = nil }
        if origin.running == 0, origins[origin.name] === origin { origins[origin.name] = nil }
    }

    private func hasRoom(_ origin: CurlOrigin) -> Bool { origin.hasRoom(originLimit) }
}

/// A binary heap of the origins that may start a transfer, by priority and then by arrival.
private struct ReadyQueue {
    struct Place {
        let priority: Int
        let arrival: Int
        let origin: CurlOrigin

        func goesBefore(_ other: Place) -> Bool {
            priority == other.priority ? arrival < other.arrival : priority > other.priority
        }
    }

    private var places: [Place] = []

    mutating func add(_ place: Place) {
        places.append(place)
        var index = places.count - 1
        while index > 0, case let parent = (index - 1) / 2, places[index].goesBefore(places[parent]) {
            places.swapAt(index, parent)
            index = parent
        }
    }

    mutating func takeFirst() -> Place? {
        guard let first = places.first, let last = places.popLast() else { return nil }
        if places.isEmpty { return first }
        places[0] = last
        var index = 0
        while true {
            let children = (2 * index + 1..<2 * index + 3).filter(places.indices.contains)
            guard let child = children.min(by: { places[$0].goesBefore(places[$1]) }),
                places[child].goesBefore(places[index])
            else { return first }
            places.swapAt(index, child)
            index = child
        }
    }
}
#endif
