/// Day numbers of the proleptic Gregorian calendar; 1 January 1970 is day 0.
///
/// Computed here because Foundation's calendars depend on time zones and locales, and use locks.
enum CivilDay {
    private static let daysInEra = 146_097
    /// The number of days from 1 March of the year 0, where the computation starts, to 1 January 1970.
    private static let epoch = 719_468

    /// Returns the number of an existing day.
    static func number(year: Int, month: Int, day: Int) -> Int {
        // A year that begins in March has its leap day at the end.
        let year = month > 2 ? year : year - 1
        let (era, yearOfEra) = year.quotientAndRemainder(flooringBy: 400)
        let dayOfYear = (153 * (month > 2 ? month - 3 : month + 9) + 2) / 5 + day - 1
        return era * daysInEra + yearOfEra * 365 + yearOfEra / 4 - yearOfEra / 100 + dayOfYear - epoch
    }

    /// Returns the date of a day number.
    static func date(of number: Int) -> (year: Int, month: Int, day: Int) {
        let (era, dayOfEra) = (number + epoch).quotientAndRemainder(flooringBy: daysInEra)
        let yearOfEra = (dayOfEra - dayOfEra / 1_460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
        let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
        let monthFromMarch = (5 * dayOfYear + 2) / 153
        let month = monthFromMarch < 10 ? monthFromMarch + 3 : monthFromMarch - 9
        let day = dayOfYear - (153 * monthFromMarch + 2) / 5 + 1
        return (era * 400 + yearOfEra + (month > 2 ? 0 : 1), month, day)
    }

    /// Returns the number of days in a month.
    static func count(inMonth month: Int, of year: Int) -> Int {
        let next = month == 12 ? (year + 1, 1) : (year, month + 1)
        return number(year: next.0, month: next.1, day: 1) - number(year: year, month: month, day: 1)
    }
}

extension BinaryInteger {
    /// Returns the quotient, rounded towards negative infinity, and a remainder that is never negative for a positive
    /// divisor.
    func quotientAndRemainder(flooringBy divisor: Self) -> (quotient: Self, remainder: Self) {
        let (quotient, remainder) = quotientAndRemainder(dividingBy: divisor)
        return remainder < 0 ? (quotient - 1, remainder + divisor) : (quotient, remainder)
    }
}
