import Testing

@testable import Errand

struct `A date of HTTP` {
    static let moment = Date(timeIntervalSince1970: 784_111_777)

    @Test(arguments: [
        "Sun, 06 Nov 1994 08:49:37 GMT", "Sunday, 06-Nov-94 08:49:37 GMT", "Sun Nov  6 08:49:37 1994",
    ])
    func `is read in all three forms`(_ text: String) {
        #expect(HTTPDate.parse(text) == Self.moment)
    }

    @Test func `is written in the first of them`() {
        #expect(HTTPDate.string(Self.moment) == "Sun, 06 Nov 1994 08:49:37 GMT")
        #expect(HTTPDate.string(Date(timeIntervalSince1970: -1)) == "Wed, 31 Dec 1969 23:59:59 GMT")
        #expect(HTTPDate.string(Date(timeIntervalSince1970: .infinity)) == "Fri, 31 Dec 9999 23:59:59 GMT")
        #expect(HTTPDate.string(Date(timeIntervalSince1970: .nan)) == "Thu, 01 Jan 1970 00:00:00 GMT")
    }

    @Test(arguments: [-62_135_596_800.0, -1, 0, 68_169_600, 951_782_400, 1_709_164_799, 253_402_300_799])
    func `is the same after it was written and read`(_ seconds: TimeInterval) {
        let date = Date(timeIntervalSince1970: seconds)
        #expect(HTTPDate.parse(HTTPDate.string(date)) == date)
    }

    @Test func `with two digits for the year is not far ahead`() {
        let now = Date(timeIntervalSince1970: 1_767_225_600)  // 2026
        #expect(HTTPDate.parse("Sunday, 06-Nov-94 08:49:37 GMT", now: now) == Self.moment)
        let ahead = HTTPDate.parse("Friday, 06-Nov-76 08:49:37 GMT", now: now)
        #expect(ahead.map(HTTPDate.string) == "Fri, 06 Nov 2076 08:49:37 GMT")
    }

    @Test(arguments: [
        "", "0", "-1", "now", "Sun, 06 Nov 1994 08:49:37", "Sun, 06 Nov 1994 08:49:37 CET",
        "Sun, 31 Feb 1994 08:49:37 GMT", "Sun, 29 Feb 1900 08:49:37 GMT", "Sun, 06 Nov 1994 24:00:00 GMT",
        "Sun, 06 Nov 1994 08:60:00 GMT", "Sun, 00 Nov 1994 08:49:37 GMT", "Sun, 06 Nov 19940 08:49:37 GMT",
        "Sun, 06 Nov -994 08:49:37 GMT", "Sun, 06 Nov 0000 08:49:37 GMT", "Sunday, 06-Nov 08:49:37 GMT",
        "Sun, 06 Nov 1994 ٠٨:49:37 GMT", "Sun Nov 99 08:49:37 1994", "Sun, 06 Nov 1994 8:49:37 GMT",
    ])
    func `that is none is nil`(_ text: String) {
        #expect(HTTPDate.parse(text) == nil)
    }
}
