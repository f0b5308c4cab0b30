import Errand
import Testing

struct `The wait that a server asks for` {
    private let now = Date(timeIntervalSince1970: 784_111_777)  // Sun, 06 Nov 1994 08:49:37 GMT

    @Test(arguments: [
        ("0", 0), ("120", 120), (" 7\t", 7), ("4294967296", 2_147_483_648),
        ("99999999999999999999999999", 2_147_483_648), ("Sun, 06 Nov 1994 08:49:40 GMT", 3),
        ("Sunday, 06-Nov-94 08:50:37 GMT", 60), ("Sun Nov  6 08:49:38 1994", 1), ("Sun, 06 Nov 1994 08:00:00 GMT", 0),
        ("Fri, 31 Dec 9999 23:59:59 GMT", 2_147_483_648),
    ])
    func `Retry-After is a number of seconds or a date`(_ value: String, _ seconds: Int) {
        let headers: HeaderFields = ["retry-after": value]
        #expect(headers.retryAfter(now: now) == .seconds(seconds))
    }

    @Test(arguments: ["", "-1", "+1", "1.5", "1e3", "soon", "5 6", "0x10", "\u{664}", "Sun, 31 Feb 1994 08:49:37 GMT"])
    func `an invalid Retry-After is ignored`(_ value: String) {
        let headers: HeaderFields = ["Retry-After": value]
        #expect(headers.retryAfter(now: now) == nil)
        #expect(HeaderFields().retryAfter(now: now) == nil)
    }

    @Test(arguments: [
        (#""default";r=0;t=30"#, 30), ("default;r=0;t=0", 0), (#""a";r=5;t=9, "b";r=0;t=7"#, 7),
        (#""a";r=0;t=5, "b";r=0;t=60"#, 60), (#""a";r=0;t=999999999999999"#, 2_147_483_648),
    ])
    func `the RateLimit field determines the time until the quota is reset`(_ value: String, _ seconds: Int) {
        let headers: HeaderFields = ["RateLimit": value]
        #expect(headers.rateLimitReset(statusCode: 429, now: now) == .seconds(seconds))
    }

    @Test func `the window of the rate limit policy is used if the quota has no reset time`() {
        var headers: HeaderFields = [
            "RateLimit-Policy": #""hour";q=1000;w=3600, "minute";q=10;w=60"#, "RateLimit": #""minute";r=0"#,
        ]
        #expect(headers.rateLimitReset(statusCode: 503, now: now) == .seconds(60))
        // The first policy of a name counts. A search through the policies for each limit would take minutes.
        let others = Array(repeating: "other;w=1", count: 50_000).joined(separator: ",")
        headers["RateLimit-Policy"] = "\(others),x;w=7,x;w=8"
        headers["RateLimit"] = Array(repeating: "x;r=0", count: 50_000).joined(separator: ",")
        #expect(headers.rateLimitReset(statusCode: 503, now: now) == .seconds(7))
        headers["RateLimit-Policy"] = "nonsense;;"
        #expect(headers.rateLimitReset(statusCode: 503, now: now) == nil)
    }

    @Test(arguments: [
        #""default";r=1;t=30"#, #""default";t=30"#, #""default";r=0"#, #""default";r=-1;t=5"#, #""default";r=0;t=-5"#,
        #""default";r=0.0;t=5"#, #""default";r="0";t=5"#, "limit=10, remaining=0, reset=5", #""default";r=0;t=5,"#,
    ])
    func `a RateLimit field with remaining quota or an invalid value is ignored`(_ value: String) {
        let headers: HeaderFields = ["RateLimit": value]
        #expect(headers.rateLimitReset(statusCode: 429, now: now) == nil)
    }

    @Test(
        arguments: [
            (["RateLimit-Remaining": "0", "RateLimit-Reset": "12"], 503, 12),
            (["X-RateLimit-Remaining": "0", "X-RateLimit-Reset": "12"], 403, 12),
            (["RateLimit-Reset": "12"], 429, 12), (["X-RateLimit-Reset": "3600"], 429, 3600),
            (["RateLimit-Remaining": "0", "RateLimit-Reset": "31622400"], 429, 31_622_400),
        ] as [([String: String], Int, Int)])
    func `the reset time is read from older rate limit fields`(
        _ fields: [String: String], _ status: Int, _ seconds: Int
    ) {
        let headers = HeaderFields(fields.map { HeaderFields.Field($0.key, $0.value) })
        #expect(headers.rateLimitReset(statusCode: status, now: now) == .seconds(seconds))
    }

    /// The forms that servers send, at 2026-11-26T10:46:40Z.
    @Test(
        arguments: [
            ("5", 5), ("5.25", 5.25), ("0", 0), ("0.001", 0.001), (" 7\t", 7), ("007", 7),
            ("1795690005", 5), ("1795690005.25", 5.25), ("1795689000", 0), ("1795689000.75", 0),
            ("1795690005000", 5), ("1795690005250", 5.25), ("1795690005000.5", 5.0005), ("1795689000000", 0),
            ("1827312400", 31_622_400), ("1827312400000", 31_622_400),
            // The limits between the forms: dates in the past.
            ("1000000001", 0), ("100000000001", 0),
        ] as [(String, Double)], ["", "X-"])
    func `the reset of a quota is a time in seconds, or a date in seconds or milliseconds`(
        _ row: (reset: String, seconds: Double), _ prefix: String
    ) throws {
        let headers: HeaderFields = [
            "\(prefix)RateLimit-Remaining": "0", "\(prefix)RateLimit-Reset": row.reset,
        ]
        let now = Date(timeIntervalSince1970: 1_795_690_000)
        let wait = try #require(headers.rateLimitReset(statusCode: 429, now: now))
        #expect(abs(wait / .seconds(1) - row.seconds) < 0.000_01)
    }

    @Test(
        arguments: [
            "31622401", "1000000000", "99999999999", "1827312401", "1827312400001", "1795690005000000",
            "1795690005000000000", "99999999999999999999999999", String(repeating: "9", count: 400),
            "-5", "+5", "5.", ".5", "5.2.5", "1e3", "1e400", "0x10", "5 6", "", "soon", "nan", "inf", "\u{664}",
        ], ["", "X-"])
    func `a reset that is more than a year away or not a number is ignored`(_ reset: String, _ prefix: String) {
        let headers: HeaderFields = ["\(prefix)RateLimit-Remaining": "0", "\(prefix)RateLimit-Reset": reset]
        let now = Date(timeIntervalSince1970: 1_795_690_000)
        #expect(headers.rateLimitReset(statusCode: 429, now: now) == nil)
    }

    @Test(arguments: [
        ["RateLimit-Remaining": "3", "RateLimit-Reset": "12"], ["RateLimit-Reset": "12"],
        ["RateLimit-Remaining": "0", "RateLimit-Reset": "-12"], ["RateLimit-Remaining": "0"],
        ["X-RateLimit-Remaining": "none", "X-RateLimit-Reset": "12"],
    ])
    func `older rate limit fields with remaining quota or invalid values are ignored`(_ fields: [String: String]) {
        let headers = HeaderFields(fields.map { HeaderFields.Field($0.key, $0.value) })
        #expect(headers.rateLimitReset(statusCode: 503, now: now) == nil)
    }

    @Test func `rateLimitReset uses the status and the system time by default`() {
        let fields: HeaderFields = ["X-RateLimit-Reset": "60", "Retry-After": "Sun, 06 Nov 1994 08:49:37 GMT"]
        #expect(fields.rateLimitReset(statusCode: 429) == .seconds(60))
        #expect(fields.rateLimitReset(statusCode: 503) == nil)
        #expect(fields.retryAfter() == .zero)
        #expect(HTTPDate("Sun, 06 Nov 1994 08:49:37 GMT")?.date == Date(timeIntervalSince1970: 784_111_777))
    }
}
