/// How old a stored answer is, and how long it is good for (RFC 9111, section 4.2), in seconds.
struct CacheFreshness: Equatable, Sendable {
    /// How long it is good for, counted from when the server made it.
    let lifetime: TimeInterval
    /// How long ago the server made it.
    let age: TimeInterval

    /// Whether it is still good.
    var isFresh: Bool { lifetime > age }
    /// How long it has not been good any more; below zero while it is.
    var staleness: TimeInterval { age - lifetime }

    /// What an entry's fields and dates say at this moment.
    ///
    /// - Parameter heuristic: Whether `Last-Modified` gives a lifetime to an entry without an explicit one.
    init(_ entry: CacheEntry, heuristic: Bool, now: Date) {
        let date = entry.headers["Date"].flatMap { HTTPDate($0, now: now)?.date } ?? entry.responseDate
        lifetime = Self.lifetime(of: entry, date: date, heuristic: heuristic, now: now)
        age = Self.age(of: entry, date: date, now: now)
    }

    /// The first of `max-age`, `Expires` and, with heuristic freshness and a status that allows it, a tenth of the time since
    /// `Last-Modified` (sections 4.2.1 and 4.2.2). An `Expires` that is no date has passed (section 5.3). `s-maxage` is for shared caches.
    private static func lifetime(of entry: CacheEntry, date: Date, heuristic: Bool, now: Date) -> TimeInterval {
        let directives = entry.directives
        if let seconds = directives.seconds("max-age") { return TimeInterval(seconds) }
        let expirations = Set(entry.headers[values: "Expires"])
        if let expires = expirations.first {
            // A date of HTTP is in GMT (RFC 9110, section 5.6.7), and never in UTC by that name.
            guard expirations.count == 1, !expires.uppercased().contains("UTC"),
                let end = HTTPDate(expires, now: now)?.date
            else { return 0 }
            return max(0, end.timeIntervalSince(date))
        }
        let allowsHeuristic = CacheStoring.heuristicStatusCodes.contains(entry.statusCode) || directives.has("public")
        guard heuristic, allowsHeuristic,
            let changed = entry.headers["Last-Modified"].flatMap({ HTTPDate($0, now: now)?.date })
        else { return 0 }
        return max(0, date.timeIntervalSince(changed)) / 10
    }

    /// Section 4.2.3, but that a clock which was set back counts as time too: an answer from the future would never age.
    private static func age(of entry: CacheEntry, date: Date, now: Date) -> TimeInterval {
        let field = entry.headers[values: "Age"].first?.split(separator: ",").first
        let stated = field.flatMap { CacheControl.seconds(in: $0.trimmingCharacters(in: .whitespaces)) } ?? 0
        let apparent = max(0, entry.responseDate.timeIntervalSince(date))
        let delay = max(0, entry.responseDate.timeIntervalSince(entry.requestDate))
        let resident = abs(now.timeIntervalSince(entry.responseDate))
        return max(apparent, TimeInterval(stated) + delay) + resident
    }
}
