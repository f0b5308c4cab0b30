#if canImport(CCurl)
/// Who may use a connection now, and who has to wait: caps for each origin and for all of them, and behind these the
/// order of priority and then of arrival.
///
/// A pure value; the loop acts on what it says. A transfer that ends while it waits stays in its queue until it is come
/// upon, so that no step takes longer the more are waiting.
struct CurlAdmission {
    private let originLimit: Int
    private let limit: Int
    /// What is known of an origin from the beginning, by its name.
    private let sharing: (String) -> CurlOrigin.Sharing
    private var running = 0
    private var arrivals = 0
    private var origins: [String: CurlOrigin] = [:]
    /// The one that was asked for last, which the next request mostly goes to as well.
    private var latest: CurlOrigin?
    /// The origins where somebody waits.
    private var crowded: [ObjectIdentifier: CurlOrigin] = [:]
    /// Of these, the ones that have room of their own, in the order of their first.
    private var ready = ReadyQueue()

    /// Caps on what runs at once, to one origin and in all.
    init(
        originLimit: Int, limit: Int, sharing: @escaping (_ origin: String) -> CurlOrigin.Sharing = { _ in .none }
    ) {
        self.originLimit = originLimit
        self.limit = limit
        self.sharing = sharing
    }

    var isIdle: Bool { running == 0 && crowded.values.allSatisfy { $0.first == nil } }

    /// Everybody who waits, in no order.
    var waiting: [CurlTransfer] { crowded.values.flatMap(\.waiting) }

    /// Takes a transfer in.
    ///
    /// - Returns: Whether it may start now; otherwise it waits for ``next(_:)``.
    mutating func admit(_ transfer: CurlTransfer, to url: String) -> Bool {
        let origin = origin(of: url)
        transfer.origin = origin
        if running < limit, hasRoom(origin), origin.first == nil {
            start(origin)
            return true
        }
        arrivals += 1
        transfer.arrival = arrivals
        origin.add(transfer)
        crowded[ObjectIdentifier(origin)] = origin
        makeReady(origin)
        return false
    }

    private mutating func origin(of url: String) -> CurlOrigin {
        if let latest, latest.owns(url) {
            if latest.running > 0 { return latest }
            return origin(named: latest.name, at: url)
        }
        return origin(named: CurlOrigin.name(of: url), at: url)
    }

    private mutating func origin(named name: String, at url: String) -> CurlOrigin {
        let origin = origins[name] ?? CurlOrigin(name, sharing: sharing(name))
        origin.note(url)
        origins[name] = origin
        latest = origin
        return origin
    }

    private mutating func start(_ origin: CurlOrigin) {
        running += 1
        origin.running += 1
    }

    /// Gives back the place of a transfer that was running.
    mutating func release(_ transfer: CurlTransfer) {
        guard let origin = transfer.origin else { return }
        transfer.origin = nil
        origin.isSettled(transfer)
        running -= 1
        origin.running -= 1
        makeReady(origin)
        forgetIfEmpty(origin)
    }

    /// A transfer has a connection.
    ///
    /// - Parameter sharing: How many requests that takes, as far as it is known.
    mutating func connected(_ transfer: CurlTransfer, sharing: CurlOrigin.Sharing) {
        guard let origin = transfer.origin else { return }
        origin.isSettled(transfer)
        // What was seen to take many may say nothing of that the next time.
        if origin.sharing != .streams { origin.sharing = sharing }
        makeReady(origin)
    }

    /// The next that may start, which counts as running from here on.
    mutating func next(_ now: UInt64) -> CurlTransfer? {
        while running < limit, let place = ready.takeFirst() {
            let origin = place.origin
            // Another place stands for an origin where somebody more urgent has come.
            guard origin.readyArrival == place.arrival else { continue }
            origin.readyArrival = 0
            guard hasRoom(origin), let first = origin.first else {
                forgetIfEmpty(origin)
                continue
            }
            guard first.arrival == place.arrival, let transfer = origin.takeFirst() else {
                makeReady(origin)
                continue
            }
            origin.movedAt = now
            start(origin)
            makeReady(origin)
            forgetIfEmpty(origin)
            return transfer
        }
        return nil
    }

    /// Has an origin take part in the choice of the next one, if somebody waits there and it has room.
    private mutating func makeReady(_ origin: CurlOrigin) {
        guard hasRoom(origin), let first = origin.first, first.arrival != origin.readyArrival else { return }
        origin.readyArrival = first.arrival
        ready.add(ReadyQueue.Place(priority: first.request.priority.rawValue, arrival: first.arrival, origin: origin))
    }

    private mutating func forgetIfEmpty(_ origin: CurlOrigin) {
        guard origin.first == nil else { return }
        crowded[ObjectIdentifier(origin)] = nil
        if origin.running == 0 { origins[origin.name] = nil }
    }

    private func hasRoom(_ origin: CurlOrigin) -> Bool { origin.hasRoom(originLimit) }
}

/// The origins that may send something, the most urgent and then the oldest first: a binary heap.
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
