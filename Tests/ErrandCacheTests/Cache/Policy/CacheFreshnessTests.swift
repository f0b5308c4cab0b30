import Testing

@testable import Errand

struct `How long a response is fresh` {
    static let date = HTTPDate(WallClock.start).description

    static func lifetime(_ headers: HeaderFields, statusCode: Int = 200, heuristic: Bool = true) -> TimeInterval {
        CacheFreshness(.stored(headers, statusCode: statusCode), heuristic: heuristic, now: WallClock.start).lifetime
    }

    static func after(_ seconds: TimeInterval) -> String { HTTPDate(WallClock.start + seconds).description }

    @Test func `max-age takes precedence over Expires and s-maxage`() {
        let headers: HeaderFields = [
            "Date": Self.date, "Cache-Control": "max-age=60, s-maxage=999", "Expires": Self.after(1_000),
            "Last-Modified": Self.after(-1_000),
        ]
        #expect(Self.lifetime(headers) == 60)
    }

    @Test func `the lifetime is the time between Date and Expires`() {
        #expect(Self.lifetime(["Date": Self.date, "Expires": Self.after(100)]) == 100)
        #expect(Self.lifetime(["Expires": Self.after(100)]) == 100)
        #expect(Self.lifetime(["Date": Self.date, "Expires": Self.after(-100)]) == 0)
    }

    @Test(arguments: ["0", "-1", "never", "", after(100).replacing("GMT", with: "UTC"), after(100) + " x"])
    func `an invalid Expires field means that the response is stale`(_ text: String) {
        #expect(Self.lifetime(["Expires": text, "Last-Modified": Self.after(-1_000)]) == 0)
    }

    @Test func `repeated Expires fields mean that the response is stale`() {
        #expect(Self.lifetime(["Expires": Self.after(100), "expires": Self.after(200)]) == 0)
    }

    @Test(arguments: [(200, 100.0), (404, 100), (410, 100), (302, 0), (500, 0)])
    func `the heuristic lifetime is a tenth of the time since Last-Modified for cacheable statuses`(
        _ status: Int, _ lifetime: TimeInterval
    ) {
        let headers: HeaderFields = ["Date": Self.date, "Last-Modified": Self.after(-1_000)]
        #expect(Self.lifetime(headers, statusCode: status) == lifetime)
        #expect(Self.lifetime(headers, statusCode: status, heuristic: false) == 0)
    }

    @Test func `a public response has a heuristic lifetime unless it was changed in the future`() {
        let changed: HeaderFields = ["Date": Self.date, "Last-Modified": Self.after(-1_000), "Cache-Control": "public"]
        #expect(Self.lifetime(changed, statusCode: 302) == 100)
        #expect(Self.lifetime(["Date": Self.date, "Last-Modified": Self.after(1_000)]) == 0)
        #expect(Self.lifetime(["Last-Modified": "yesterday"]) == 0)
    }
}

struct `The age of a response` {
    static func age(_ headers: HeaderFields, sent: TimeInterval = 0, after seconds: TimeInterval = 0) -> TimeInterval {
        CacheFreshness(.stored(headers, sent: sent), heuristic: false, now: WallClock.start + seconds).age
    }

    @Test func `the age of a response includes its time in the cache`() {
        #expect(Self.age([:], after: 30) == 30)
    }

    @Test func `the age of a response includes its Age field and the response time`() {
        #expect(Self.age(["Age": "100"], sent: 5, after: 30) == 135)
        #expect(Self.age(["Age": " 100, 7"]) == 100)
    }

    @Test func `the age of a response includes the time since Date if that is longer`() {
        let date = HTTPDate(WallClock.start - 50).description
        #expect(Self.age(["Date": date, "Age": "10"], sent: 5, after: 1) == 51)
        #expect(Self.age(["Date": HTTPDate(WallClock.start + 50).description]) == 0)
    }

    @Test(arguments: ["-5", "x", ""]) func `an invalid Age field is ignored`(_ text: String) {
        #expect(Self.age(["Age": text], after: 1) == 1)
    }

    @Test func `the age of a response grows when the clock is set back`() {
        #expect(Self.age([:], after: -86_400) == 86_400)
    }

    @Test func `the age of a response is limited to 2^31 seconds`() {
        #expect(Self.age(["Age": "99999999999999999999"]) == 2_147_483_648)
    }
}
