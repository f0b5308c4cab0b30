#if canImport(CCurl)
/// Who may use a connection now, and who has to wait: caps for each origin and for all of them, and behind these the
/// order of priority and then of arrival.
///
/// A pure value; the loop acts on what it says. A transfer that ends while it waits stays in its queue until it is come
/// upon, so that no step takes longer the more are waiting.
struct CurlAdmission {
    private let originLimit: Int
    private let limit: Int
    private var running = 0
    private var arrivals = 0
    private var origins: [String: CurlOrigin] = [:]
    /// The one that was asked for last, which the next request mostly goes to as well.
    private var latest: CurlOrigin?
    /// The origins where somebody waits.
    private var crowded: [ObjectIdentifier: CurlOrigin] = [:]

    /// Caps on what runs at once, to one origin and in all.
    init(originLimit: Int, limit: Int) {
        self.originLimit = originLimit
        self.limit = limit
    }

    var isIdle: Bool { running == 0 && crowded.values.allSatisfy { $0.first == nil } }

    /// Everybody who waits, in no order.
    var waiting: [CurlTransfer] { crowded.values.flatMap(\.waiting) }

    /// Takes a transfer in.
    ///
    /// - Returns: Whether it may start now; otherwise it waits for ``next()``.
    mutating func admit(_ transfer: CurlTransfer, to url: String) -> Bool {
        let origin = origin(of: url)
        transfer.origin = origin
        if hasRoom(for: origin), origin.first == nil {
            running += 1
            origin.running += 1
            return true
        }
        arrivals += 1
        transfer.arrival = arrivals
        origin.add(transfer)
        crowded[ObjectIdentifier(origin)] = origin
        return false
    }

    private mutating func origin(of url: String) -> CurlOrigin {
        if let latest, latest.running > 0, latest.owns(url) { return latest }
        let name = CurlOrigin.name(of: url)
        let origin = origins[name] ?? CurlOrigin(name)
        origins[name] = origin
        latest = origin
        return origin
    }

    /// Gives back the place of a transfer that was running.
    mutating func release(_ transfer: CurlTransfer) {
        guard let origin = transfer.origin else { return }
        transfer.origin = nil
        running -= 1
        origin.running -= 1
        forgetIfEmpty(origin)
    }

    /// The next that may start, which counts as running from here on.
    mutating func next() -> CurlTransfer? {
        guard !crowded.isEmpty else { return nil }
        let candidates = crowded.values.filter { hasRoom(for: $0) }
        guard let origin = candidates.min(by: { $0.goesBefore($1) }), let transfer = origin.takeFirst() else {
            for origin in candidates { forgetIfEmpty(origin) }
            return nil
        }
        if origin.first == nil { crowded[ObjectIdentifier(origin)] = nil }
        running += 1
        origin.running += 1
        return transfer
    }

    private mutating func forgetIfEmpty(_ origin: CurlOrigin) {
        guard origin.running == 0, origin.first == nil else { return }
        origins[origin.name] = nil
        crowded[ObjectIdentifier(origin)] = nil
    }

    private func hasRoom(for origin: CurlOrigin) -> Bool {
        running < limit && (origin.isMultiplexed || origin.running < originLimit)
    }
}

/// A scheme, host and port, and who is on the way there. Belongs to the loop's thread.
final class CurlOrigin {
    let name: String
    var running = 0
    /// Whether it was seen to speak HTTP/2, where requests do not need a connection each.
    var isMultiplexed = false
    private var queues: [[CurlTransfer]] = RequestPriority.allCases.map { _ in [] }
    /// How much of each queue has been taken.
    private var heads = RequestPriority.allCases.map { _ in 0 }

    init(_ name: String) {
        self.name = name
    }

    /// What stands before the third slash of a URL.
    static func name(of url: String) -> String {
        var slashes = 0
        let end = url.utf8.firstIndex { byte in
            slashes += byte == UInt8(ascii: "/") ? 1 : 0
            return slashes == 3
        }
        return String(url[..<(end ?? url.endIndex)])
    }

    func owns(_ url: String) -> Bool {
        url.withBytes { url in
            name.withBytes { name in
                guard let start = url.baseAddress, let own = name.baseAddress, url.count >= name.count else {
                    return false
                }
                return memcmp(start, own, name.count) == 0
                    && (url.count == name.count || url[name.count] == UInt8(ascii: "/"))
            }
        }
    }

    func add(_ transfer: CurlTransfer) {
        queues[transfer.request.priority.rawValue].append(transfer)
    }

    /// Who is next; those that have ended are passed over.
    var first: CurlTransfer? {
        for priority in queues.indices.reversed() {
            while heads[priority] < queues[priority].count {
                let transfer = queues[priority][heads[priority]]
                if !transfer.isOver { return transfer }
                advance(priority)
            }
        }
        return nil
    }

    func takeFirst() -> CurlTransfer? {
        guard let first else { return nil }
        advance(first.request.priority.rawValue)
        return first
    }

    var waiting: [CurlTransfer] {
        queues.indices.flatMap { queues[$0][heads[$0]...] }.filter { !$0.isOver }
    }

    func goesBefore(_ other: CurlOrigin) -> Bool {
        guard let mine = first, let theirs = other.first else { return first != nil }
        return mine.request.priority == theirs.request.priority
            ? mine.arrival < theirs.arrival : mine.request.priority > theirs.request.priority
    }

    /// Drops what has been taken when it is half of the queue, so that each is moved once on average.
    private func advance(_ priority: Int) {
        heads[priority] += 1
        if heads[priority] * 2 >= queues[priority].count {
            queues[priority].removeFirst(heads[priority])
            heads[priority] = 0
        }
    }
}
#endif
