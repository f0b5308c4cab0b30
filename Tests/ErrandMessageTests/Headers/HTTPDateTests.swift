import Errand
import Testing

struct `A date of HTTP` {
    private let now = Date(timeIntervalSince1970: 1_700_000_000)  // 2023

    @Test(arguments: [
        "Sun, 06 Nov 1994 08:49:37 GMT", "Sunday, 06-Nov-94 08:49:37 GMT", "Sun Nov  6 08:49:37 1994",
        "sun, 06 nov 1994 08:49:37 gmt", " Sun, 06 Nov 1994 08:49:37 UTC\t",
    ])
    func `an HTTP date is parsed in all three formats`(_ text: String) throws {
        let date = try #require(HTTPDate(text, now: now))
        #expect(date.date == Date(timeIntervalSince1970: 784_111_777))
        #expect(date.description == "Sun, 06 Nov 1994 08:49:37 GMT")
    }

    @Test(arguments: [
        ("Thu, 01 Jan 1970 00:00:00 GMT", 0), ("Wed, 31 Dec 1969 23:59:59 GMT", -1),
        ("Thu, 29 Feb 2024 12:00:00 GMT", 1_709_208_000), ("Tue, 29 Feb 2000 00:00:00 GMT", 951_782_400),
        ("Sat, 01 Jan 0000 00:00:00 GMT", -62_167_219_200), ("Fri, 31 Dec 9999 23:59:59 GMT", 253_402_300_799),
    ])
    func `an HTTP date is written as it was parsed`(_ text: String, _ seconds: Int) throws {
        let date = try #require(HTTPDate(text, now: now))
        #expect(date.date.timeIntervalSince1970 == TimeInterval(seconds))
        #expect(HTTPDate(date.date).description == text)
    }

    @Test func `HTTP dates agree with the calendar of Foundation for four centuries`() throws {
        var calendar = Calendar(identifier: .gregorian)
        calendar.timeZone = try #require(TimeZone(secondsFromGMT: 0))
        let formatter = DateFormatter()
        formatter.locale = Locale(identifier: "en_US_POSIX")
        formatter.timeZone = calendar.timeZone
        formatter.dateFormat = "EEE, dd MMM yyyy HH:mm:ss 'GMT'"
        for day in stride(from: -25_567, to: 120_000, by: 13) {
            let date = Date(timeIntervalSince1970: TimeInterval(day) * 86_400 + 12_345)
            let text = HTTPDate(date).description
            guard text == formatter.string(from: date), HTTPDate(text, now: now)?.date == date else {
                Issue.record("\(text) is not \(formatter.string(from: date))")
                return
            }
        }
    }

    @Test(arguments: [
        "", "yesterday", "Sun, 06 Nov 1994 08:49:37", "Sun, 06 Nov 1994 08:49:37 CET", "Sun, 6 Nov 1994 08:49:37 GMT",
        "Sun, 06 Nov 94 08:49:37 GMT", "Sunday, 06-Nov-1994 08:49:37 GMT", "Sun, 06-Nov-1994 08:49:37 GMT",
        "Son, 06 Nov 1994 08:49:37 GMT", "Sun, 06 Nox 1994 08:49:37 GMT", "Sun, 00 Nov 1994 08:49:37 GMT",
        "Sun, 31 Nov 1994 08:49:37 GMT", "Tue, 29 Feb 1900 00:00:00 GMT", "Sun, 06 Nov 1994 24:00:00 GMT",
        "Sun, 06 Nov 1994 08:60:37 GMT", "Sun, 06 Nov 1994 08:49:61 GMT", "Sun, 06 Nov 1994 08:49:37 GMT!",
        "Sun, 06 Nov -994 08:49:37 GMT", "Sun Nov 6 08:49:37 1994", "Sunday Nov  6 08:49:37 1994", "1994-11-06",
        "Sun, 06 Nov 1994 08:49:37 GMT Sun, 06 Nov 1994 08:49:37 GMT and so on, for longer than any date", "784111777",
    ])
    func `a malformed HTTP date is invalid`(_ text: String) {
        #expect(HTTPDate(text, now: now) == nil)
    }

    @Test func `a leap second is read as the next second`() {
        let date = HTTPDate("Sat, 31 Dec 2016 23:59:60 GMT", now: now)
        #expect(date?.description == "Sun, 01 Jan 2017 00:00:00 GMT")
    }

    @Test(arguments: [("73", 2073), ("74", 1974), ("23", 2023), ("00", 2000), ("99", 1999)])
    func `a two-digit year is read as at most fifty years in the future`(_ digits: String, _ year: Int) {
        let date = HTTPDate("Monday, 01-Jan-\(digits) 00:00:00 GMT", now: now)
        #expect(date?.description.contains(" \(year) ") == true, "\(date as Any)")
    }

    @Test(arguments: [
        ("Tuesday, 14-Nov-73 22:13:20 GMT", 2073), ("Tuesday, 14-Nov-73 22:13:21 GMT", 1973),
        ("Wednesday, 15-Nov-73 00:00:00 GMT", 1973), ("Saturday, 31-Dec-73 23:59:59 GMT", 1973),
    ])
    func `the fifty years of a two-digit year begin at the current moment`(_ text: String, _ year: Int) {
        let date = HTTPDate(text, now: now)
        #expect(date?.description.contains(" \(year) ") == true, "\(date as Any)")
    }

    @Test(arguments: [30, 31, 35, 100, 10_000])
    func `an HTTP date followed by other text is invalid`(_ spaces: Int) {
        let text = "Sun, 06 Nov 1994 08:49:37 GMT" + String(repeating: " ", count: spaces)
        #expect(HTTPDate(text, now: now) != nil)
        #expect(HTTPDate(text + "x", now: now) == nil)
    }

    @Test func `an HTTP date drops the fraction of a second, also before 1970`() {
        #expect(HTTPDate(Date(timeIntervalSince1970: 0.9)).description == "Thu, 01 Jan 1970 00:00:00 GMT")
        #expect(HTTPDate(Date(timeIntervalSince1970: -0.1)).description == "Wed, 31 Dec 1969 23:59:59 GMT")
    }

    @Test(arguments: [
        (Double.infinity, "Fri, 31 Dec 9999 23:59:59 GMT"), (-Double.infinity, "Sat, 01 Jan 0000 00:00:00 GMT"),
        (1e300, "Fri, 31 Dec 9999 23:59:59 GMT"), (Double.nan, "Thu, 01 Jan 1970 00:00:00 GMT"),
    ])
    func `an HTTP date is limited to the years that can be written`(_ seconds: Double, _ text: String) {
        #expect(HTTPDate(Date(timeIntervalSince1970: seconds)).description == text)
    }

    @Test func `HTTP dates are ordered by time`() {
        #expect(HTTPDate(Date(timeIntervalSince1970: 1)) < HTTPDate(Date(timeIntervalSince1970: 2)))
    }
}
