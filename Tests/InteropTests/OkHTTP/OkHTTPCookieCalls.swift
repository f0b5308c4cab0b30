import Errand

/// The calls of okhttp's tests of cookies, with ``CookieJar``.
struct OkHTTPCookieCalls: KotlinLibrary {
    /// A time before all dates of the tests, so that no cookie has expired.
    private static let early = Date(timeIntervalSince1970: -11_000_000_000)

    /// The date that okhttp uses for a cookie without an expiry; in milliseconds.
    static let latest = 253_402_300_799_999

    func call(_ name: String, on receiver: KotlinValue?, _ arguments: [KotlinValue]) async throws -> KotlinValue {
        switch (name, receiver, arguments) {
        case ("toHttpUrl", .text(let text)?, _):
            guard let url = URL(string: text) else { throw KotlinUnsupported(reason: "URL") }
            return .url(url)
        case ("parse", nil, _):
            guard case .url(let url)? = arguments.first, case .text(let field)? = arguments.last else { break }
            return parse(field, url, at: nil)
        case ("parseCookie", nil, _):
            guard arguments.count == 3, case .number(let time) = arguments[0], case .url(let url) = arguments[1],
                case .text(let field) = arguments[2]
            else { break }
            // Later dates are not dates of the calendar.
            if time > Self.latest { throw KotlinUnsupported(reason: "time out of range") }
            return parse(field, url, at: Date(timeIntervalSince1970: Double(time) / 1000))
        case ("matches", .cookie(let cookie, _)?, _):
            guard case .url(let url)? = arguments.first else { break }
            return .flag(!CookieJar([cookie], now: { Self.early }).cookies(for: url).isEmpty)
        case ("Date", nil, _): return arguments.first ?? .null
        case ("date", nil, _):
            guard case .text(let text)? = arguments.first else { break }
            let format = Date.ISO8601FormatStyle(includingFractionalSeconds: true)
            let date = try format.parse(text.replacing("+0000", with: "Z"))
            return .number(Int(date.timeIntervalSince1970 * 1000))
        case ("matches", .null?, _): return .text("no cookie")
        case ("toString", _, _): return .symbol("text")
        default: break
        }
        throw KotlinUnsupported(reason: name)
    }

    func member(_ name: String, of value: KotlinValue) throws -> KotlinValue {
        switch (name, value) {
        case ("MIN_VALUE", .symbol("Long")): return .null
        case ("expiresAt", .null): return .null
        case ("name", .cookie(let cookie, _)): return .text(cookie.name)
        case ("value", .cookie(let cookie, _)): return .text(cookie.value)
        case ("domain", .cookie(let cookie, _)): return .text(cookie.domain)
        case ("path", .cookie(let cookie, _)): return .text(cookie.path)
        case ("hostOnly", .cookie(let cookie, _)): return .flag(cookie.isHostOnly)
        case ("secure", .cookie(let cookie, _)): return .flag(cookie.isSecure)
        case ("httpOnly", .cookie(let cookie, _)): return .flag(cookie.isHTTPOnly)
        case ("persistent", .cookie(let cookie, _)): return .flag(cookie.expires != nil)
        case ("expiresAt", .cookie(let cookie, let now)): return .number(Self.expiry(cookie, now))
        case (_, .null): return .text("no cookie")
        default: throw KotlinUnsupported(reason: name)
        }
    }

    /// The expiry in milliseconds. A jar keeps a cookie for at most 400 days, so that a later date means no limit.
    private static func expiry(_ cookie: CookieJar.Cookie, _ now: Date) -> Int {
        guard let expires = cookie.expires, expires < now + 400 * 86_400 else { return latest }
        return Int(expires.timeIntervalSince1970 * 1000)
    }

    /// Stores a cookie in a new jar.
    ///
    /// - Parameter time: The current time; by default a time at which the cookie has not expired.
    private func parse(_ field: String, _ url: URL, at time: Date?) -> KotlinValue {
        var times = [time ?? Date()]
        // Before the dates of the tests, but not more than 400 days.
        if time == nil {
            let years = [1970, 1994, 2021].map { Double($0 - 1970) }
            times += years.map { Date(timeIntervalSince1970: $0 * 31_536_000 - 86_400) }
        }
        for now in times {
            let jar = CookieJar { now }
            try? jar.setCookie(field, for: url)
            if let cookie = jar.cookies.first {
                let isAtLimit = cookie.expires.map { $0 >= now + 400 * 86_400 } ?? false
                if time == nil, isAtLimit { continue }
                return .cookie(cookie, since: now)
            }
        }
        return .null
    }
}
