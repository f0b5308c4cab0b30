/// The cookies of a jar: replacement, selection for a request, and removal if there are too many. A value type without
/// a lock.
struct StoredCookies: Sendable {
    /// The maximum number of cookies for a domain and in total; at least 50 and 3000 (RFC 6265bis, section 6.1).
    static let maximumCount = (perDomain: 180, total: 3000)

    struct Entry: Sendable {
        var cookie: CookieJar.Cookie
        /// The turn in which the cookie was first set. A replacement keeps it.
        let created: UInt64
        /// The turn in which the cookie was last set or selected.
        var used: UInt64
    }

    /// The maximum number of cookies that are removed beyond the necessary ones when there are too many in total, so
    /// that this happens rarely.
    static let spareCount = 100

    private let suffixes: PublicSuffixes
    /// The cookies by domain.
    private var domains: [String: [Entry]] = [:]
    /// The number of all cookies.
    private var count = 0
    /// The number of times that cookies were set or selected: the clock for the order of cookies.
    private var turn: UInt64 = 0

    /// - Parameter suffixes: The public suffixes, which determine the site of a domain.
    init(suffixes: PublicSuffixes = []) {
        self.suffixes = suffixes
    }

    /// Returns all cookies that have not expired, in the order in which they were first set.
    func all(at now: Date) -> [CookieJar.Cookie] {
        domains.values.joined().filter { !$0.cookie.isExpired(at: now) }.sorted { $0.created < $1.created }
            .map(\.cookie)
    }

    /// Returns the cookies for a request in the order of the `Cookie` header field: longer paths first, then older
    /// cookies.
    mutating func cookies(for target: CookieTarget, at now: Date) -> [CookieJar.Cookie] {
        turn += 1
        var sent: [Entry] = []
        for domain in target.domains {
            // Removed while they change, so that the array is not copied.
            guard var entries = domains.removeValue(forKey: domain) else { continue }
            for index in entries.indices
            where !entries[index].cookie.isExpired(at: now) && entries[index].cookie.isSent(to: target) {
                entries[index].used = turn
                sent.append(entries[index])
            }
            domains[domain] = entries
        }
        return sent.sorted { one, other in
            let lengths = (one.cookie.path.utf8.count, other.cookie.path.utf8.count)
            return lengths.0 == lengths.1 ? one.created < other.created : lengths.0 > lengths.1
        }
        .map(\.cookie)
    }

    /// Returns `true` if a cookie from an insecure connection would hide a secure one (RFC 6265bis, section 5.7).
    func overlaysSecure(_ cookie: CookieJar.Cookie, from target: CookieTarget, at now: Date) -> Bool {
        guard !target.isSecure, !cookie.isSecure else { return false }
        let suffix = "." + cookie.domain
        return domains.contains { domain, entries in
            // A subdomain, the same domain, or a domain above it.
            (domain.hasSuffix(suffix) || suffix.hasSuffix("." + domain))
                && entries.contains { entry in
                    entry.cookie.isSecure && entry.cookie.name == cookie.name && !entry.cookie.isExpired(at: now)
                        && CookieTarget.isPath(cookie.path, below: entry.cookie.path)
                }
        }
    }

    /// Stores a cookie in place of the one with the same identity. An expired cookie only removes that one.
    ///
    /// - Returns: Whether anything changed.
    @discardableResult
    mutating func set(_ cookie: CookieJar.Cookie, at now: Date) -> Bool {
        turn += 1
        var entries = domains.removeValue(forKey: cookie.domain) ?? []
        count -= entries.count
        let old = entries.firstIndex { $0.cookie.identity == cookie.identity }
        let hasChanged: Bool
        if cookie.isExpired(at: now) {
            hasChanged = old != nil
            if let old { entries.remove(at: old) }
        } else if let old {
            hasChanged = entries[old].cookie != cookie
            entries[old].cookie = cookie
            entries[old].used = turn
        } else {
            hasChanged = true
            entries.append(Entry(cookie: cookie, created: turn, used: turn))
            Self.makeRoom(in: &entries, at: now)
        }
        count += entries.count
        domains[cookie.domain] = entries.isEmpty ? nil : entries
        if count > Self.maximumCount.total { makeRoom(at: now) }
        return hasChanged
    }

    /// Removes the cookies that match.
    ///
    /// - Returns: Whether anything was removed.
    mutating func remove(where isUnwanted: (CookieJar.Cookie) throws -> Bool) rethrows -> Bool {
        let before = count
        domains = try domains.mapValues { try $0.filter { try !isUnwanted($0.cookie) } }.filter { !$0.value.isEmpty }
        count = domains.values.reduce(0) { $0 + $1.count }
        return count < before
    }

    /// Makes room in a domain with too many cookies: removes expired ones, or else one: the least recently used,
    /// preferably without `Secure`.
    private static func makeRoom(in entries: inout [Entry], at now: Date) {
        guard entries.count > maximumCount.perDomain else { return }
        entries.removeAll { $0.cookie.isExpired(at: now) }
        guard entries.count > maximumCount.perDomain else { return }
        let first = entries.indices.min { one, other in
            let ranks = (entries[one].cookie.isSecure ? 1 : 0, entries[other].cookie.isSecure ? 1 : 0)
            return ranks.0 == ranks.1 ? entries[one].used < entries[other].used : ranks.0 < ranks.1
        }
        if let first { entries.remove(at: first) }
    }

    /// Makes room if there are too many cookies in total: removes expired ones, and then the least recently used ones
    /// of the site with the most cookies.
    private mutating func makeRoom(at now: Date) {
        _ = remove { $0.isExpired(at: now) }
        guard count > Self.maximumCount.total else { return }
        var sites: [String: [Entry]] = [:]
        for (domain, entries) in domains { sites[suffixes.site(of: domain), default: []] += entries }
        // Of sites with equally many cookies, the one whose first cookie, of any of its domains, was used earlier.
        let largest = sites.values.max { ($0.count, $1[0].used) < ($1.count, $0[0].used) } ?? []
        let surplus = count - Self.maximumCount.total + Self.spareCount
        // The turn of its creation identifies a cookie.
        let unwanted = Set(largest.sorted { $0.used < $1.used }.prefix(surplus).map(\.created))
        for domain in Set(largest.map(\.cookie.domain)) {
            let kept = domains[domain]?.filter { !unwanted.contains($0.created) } ?? []
            domains[domain] = kept.isEmpty ? nil : kept
        }
        count = domains.values.reduce(0) { $0 + $1.count }
    }
}

/// The file of a ``CookieJar``. The jar reads it once, and writes it on a serial queue.
final class CookieFile: Sendable {
    static let maximumSize = 64 << 20

    private struct Content: Codable {
        var version = 1
        var cookies: [CookieJar.Cookie]
    }

    private struct State: Sendable {
        /// Whether a write is scheduled that will include the changes made until it begins.
        var isWaiting = false
        /// The cookies that this object wrote last; `nil` if it has not written the file. Used on the queue only.
        var written: [CookieJar.Cookie]?
    }

    private let directory: PrivateDirectory
    private let name: String
    private let keepsSessionCookies: Bool
    private let firstError: FirstError
    private let queue = BlockingQueue(label: "Errand.CookieFile")
    private let state = Locked(State())

    init(
        _ url: URL, keepsSessionCookies: Bool, onError: (@Sendable (any Error) -> Void)?
    ) throws(ErrandError) {
        guard url.isFileURL, !url.lastPathComponent.isEmpty, url.lastPathComponent != "/" else {
            throw ErrandError(.fileAccessFailed, reason: "the URL of the cookie file is not a file URL")
        }
        directory = PrivateDirectory(path: url.deletingLastPathComponent().path)
        name = url.lastPathComponent
        self.keepsSessionCookies = keepsSessionCookies
        firstError = FirstError(receive: onError)
    }

    /// Reads the cookies of the file; returns an empty array if there is no file.
    func read() throws(ErrandError) -> [CookieJar.Cookie] {
        do {
            removeLeftovers()
            guard let data = try directory.read(name, atMost: Self.maximumSize) else { return [] }
            let content = try FastJSONDecoder().decode(Content.self, from: data)
            guard content.version == 1 else { throw CocoaError(.fileReadUnknown) }
            return content.cookies
        } catch {
            throw ErrandError(
                .fileAccessFailed,
                reason: "the cookie file cannot be read, belongs to another user or does not contain cookies",
                underlyingError: error)
        }
    }

    /// Schedules a write and returns. Changes that follow each other quickly are written once.
    ///
    /// - Parameter cookies: Returns the cookies of the jar at the time of writing.
    func write(_ cookies: @escaping @Sendable () -> [CookieJar.Cookie]) {
        let isFirst = state.withLock { state in
            defer { state.isWaiting = true }
            return !state.isWaiting
        }
        guard isFirst else { return }
        queue.begin {
            self.state.withLock { $0.isWaiting = false }
            do { try self.save(cookies()) } catch { self.firstError.report(error) }
        }
    }

    /// Writes the cookies after any scheduled writes, and returns when they are written.
    func flush(_ cookies: @escaping @Sendable () -> [CookieJar.Cookie]) async throws {
        try await queue.run { try self.save(cookies()) }
    }

    /// Writes the cookies, unless this object last wrote the same ones. Runs on the queue.
    private func save(_ cookies: [CookieJar.Cookie]) throws(ErrandError) {
        let kept = cookies.filter { keepsSessionCookies || $0.expires != nil }
        guard state.withLock({ $0.written != kept }) else { return }
        do {
            try directory.create()
            try directory.write(
                try FastJSONEncoder().encode(Content(cookies: kept)), to: name, by: temporaryPrefix + UUID().uuidString)
            state.withLock { $0.written = kept }
        } catch {
            throw ErrandError(
                .fileAccessFailed, reason: "the cookie file cannot be written", underlyingError: error)
        }
    }

    private var temporaryPrefix: String { ".\(name)-" }

    /// Removes temporary files of processes that were killed. A file newer than an hour may be in use and stays.
    private func removeLeftovers() {
        for name in (try? directory.names()) ?? [] where name.hasPrefix(temporaryPrefix) {
            guard UUID(uuidString: String(name.dropFirst(temporaryPrefix.count))) != nil else { continue }
            if let status = directory.status(of: name), status.used < Date() - 3600 { try? directory.remove(name) }
        }
    }
}
