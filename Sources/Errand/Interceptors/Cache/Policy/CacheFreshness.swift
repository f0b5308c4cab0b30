/// The age and the freshness lifetime of a stored response in seconds (RFC 9111, section 4.2).
struct CacheFreshness: Equatable, Sendable {
    /// The freshness lifetime, from the time when the server created the response.
    let lifetime: TimeInterval
    /// The time since the server created the response.
    let age: TimeInterval

    /// Whether the response is fresh.
    var isFresh: Bool { lifetime > age }
    /// The time since the response became stale; negative while it is fresh.
    var staleness: TimeInterval { age - lifetime }

    /// Computes the values of an entry from its fields and dates at a given time.
    ///
    /// - Parameter heuristic: Whether `Last-Modified` gives a lifetime to an entry without an explicit one.
    init(_ entry: CacheEntry, heuristic: Bool, now: Date) {
        let date = entry.headers["Date"].flatMap { HTTPDate($0, now: now)?.date } ?? entry.responseDate
        lifetime = Self.lifetime(of: entry, date: date, heuristic: heuristic, now: now)
        age = Self.age(of: entry, date: date, now: now)
    }

    /// Returns the freshness lifetime: the first of `max-age`, `Expires` and the heuristic (sections 4.2.1 and 4.2.2).
    /// The heuristic is a tenth of the time since `Last-Modified`, if it is enabled and the status allows it. An
    /// invalid `Expires` counts as past (section 5.3). `s-maxage` applies only to shared caches.
    private static func lifetime(of entry: CacheEntry, date: Date, heuristic: Bool, now: Date) -> TimeInterval {
        let directives = entry.directives
        if let seconds = directives.seconds("max-age") { return TimeInterval(seconds) }
        let expirations = Set(entry.headers[values: "Expires"])
        if let expires = expirations.first {
            // A date in HTTP is in GMT (RFC 9110, section 5.6.7), and UTC is not a valid name for it.
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

    /// Computes the age as in section 4.2.3, with one difference: the time by which a clock was set back counts as
    /// elapsed time. A response from the future would otherwise never age.
    private static func age(of entry: CacheEntry, date: Date, now: Date) -> TimeInterval {
        let field = entry.headers[values: "Age"].first?.split(separator: ",").first
        let stated = field.flatMap { CacheControl.seconds(in: $0.trimmingCharacters(in: .whitespaces)) } ?? 0
        let apparent = max(0, entry.responseDate.timeIntervalSince(date))
        let delay = max(0, entry.responseDate.timeIntervalSince(entry.requestDate))
        let resident = abs(now.timeIntervalSince(entry.responseDate))
        return max(apparent, TimeInterval(stated) + delay) + resident
    }
}
