/// The dates of HTTP (RFC 9110, section 5.6.7).
enum HTTPDate {
    private static let months = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"]
    private static let weekdays = ["Sun", "Mon", "Tue", "Wed", "Thu", "Fri", "Sat"]

    /// Reads any of the three forms; nil for everything else.
    ///
    /// The day of the week is not compared with the date. A year of two digits that would lie more than fifty years
    /// ahead is one of the last century.
    static func parse(_ text: String) -> Date? {
        parse(text, now: Date())
    }

    static func parse(_ text: String, now: Date) -> Date? {
        let parts = text.split { $0 == " " || $0 == "\t" }.map(String.init)
        switch parts.count {
        case 6 where parts[0].hasSuffix(",") && isZone(parts[5]):
            return date(year: number(parts[3], digits: 4), month: parts[2], day: parts[1], time: parts[4])
        case 4 where parts[0].hasSuffix(",") && isZone(parts[3]):
            let day = parts[1].split(separator: "-", omittingEmptySubsequences: false).map(String.init)
            guard day.count == 3, let year = number(day[2], digits: 2) else { return nil }
            return date(year: fullYear(year, now: now), month: day[1], day: day[0], time: parts[2])
        case 5:
            return date(year: number(parts[4], digits: 4), month: parts[1], day: parts[2], time: parts[3])
        default:
            return nil
        }
    }

    /// Writes the preferred form: `Sun, 06 Nov 1994 08:49:37 GMT`. What lies outside the years 1 to 9999 is put at
    /// their edge.
    static func string(_ date: Date) -> String {
        let interval = date.timeIntervalSince1970
        let bounded = interval.isNaN ? 0 : min(max(interval.rounded(.down), -62_135_596_800), 253_402_300_799)
        let seconds = Int(bounded)
        let days = seconds.dividedDown(by: 86_400)
        let rest = seconds - days * 86_400
        let (year, month, day) = civil(daysSince1970: days)
        let weekday = weekdays[(days + 4) - (days + 4).dividedDown(by: 7) * 7]
        let time = [rest / 3_600, rest / 60 % 60, rest % 60].map { padded($0, to: 2) }.joined(separator: ":")
        return "\(weekday), \(padded(day, to: 2)) \(months[month - 1]) \(padded(year, to: 4)) \(time) GMT"
    }

    private static func isZone(_ text: String) -> Bool { text == "GMT" || text == "UTC" }

    private static func date(year: Int?, month: String, day: String, time: String) -> Date? {
        let clock = time.split(separator: ":", omittingEmptySubsequences: false).map { number(String($0), digits: 2) }
        guard let year, year >= 1, let month = months.firstIndex(of: month).map({ $0 + 1 }),
            let day = number(day, digits: day.utf8.count == 1 ? 1 : 2), day >= 1, day <= days(in: month, of: year),
            clock.count == 3, let hour = clock[0], let minute = clock[1], let second = clock[2],
            hour < 24, minute < 60, second <= 60
        else { return nil }
        let days = daysSince1970(year: year, month: month, day: day)
        return Date(timeIntervalSince1970: Double(days * 86_400 + hour * 3_600 + minute * 60 + second))
    }

    private static func number(_ text: String, digits: Int) -> Int? {
        guard text.utf8.count == digits, text.utf8.allSatisfy({ (0x30...0x39).contains($0) }) else { return nil }
        return Int(text)
    }

    private static func fullYear(_ year: Int, now: Date) -> Int {
        let interval = now.timeIntervalSince1970
        let days = abs(interval) < 1e11 ? Int((interval / 86_400).rounded(.down)) : 0
        let current = civil(daysSince1970: days).year
        let candidate = current - current % 100 + year
        return candidate > current + 50 ? candidate - 100 : candidate
    }

    private static func days(in month: Int, of year: Int) -> Int {
        let isLeap = year % 4 == 0 && (year % 100 != 0 || year % 400 == 0)
        return [31, isLeap ? 29 : 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31][month - 1]
    }

    /// Years are counted from March, so that the leap day is the last of them.
    private static func daysSince1970(year: Int, month: Int, day: Int) -> Int {
        let shifted = month <= 2 ? year - 1 : year
        let dayOfYear = (153 * (month > 2 ? month - 3 : month + 9) + 2) / 5 + day - 1
        return shifted * 365 + shifted / 4 - shifted / 100 + shifted / 400 + dayOfYear - 719_468
    }

    private static func civil(daysSince1970 days: Int) -> (year: Int, month: Int, day: Int) {
        let shifted = days + 719_468
        let era = shifted.dividedDown(by: 146_097)
        let dayOfEra = shifted - era * 146_097
        let yearOfEra = (dayOfEra - dayOfEra / 1_460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
        let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
        let shiftedMonth = (5 * dayOfYear + 2) / 153
        let month = shiftedMonth < 10 ? shiftedMonth + 3 : shiftedMonth - 9
        let year = yearOfEra + era * 400 + (month <= 2 ? 1 : 0)
        return (year, month, dayOfYear - (153 * shiftedMonth + 2) / 5 + 1)
    }

    private static func padded(_ number: Int, to width: Int) -> String {
        let text = String(number)
        return String(repeating: "0", count: max(0, width - text.count)) + text
    }
}

extension Int {
    fileprivate func dividedDown(by divisor: Int) -> Int {
        self >= 0 ? self / divisor : -((divisor - 1 - self) / divisor)
    }
}
