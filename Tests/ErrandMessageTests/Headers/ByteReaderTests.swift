import Testing

@testable import Errand

struct `A byte reader` {
    private func reader(_ text: String) -> ByteReader<ArraySlice<UInt8>> { ByteReader(Array(text.utf8)[...]) }

    @Test func `a byte reader skips a byte only if it is the next one`() {
        var reader = reader("a=")
        let skipped = [reader.skip("="), reader.skip("a"), reader.skip("="), reader.skip("=")]
        #expect(skipped == [false, true, true, false])
        #expect(reader.isAtEnd)
        let byte = reader.take()
        #expect(byte == nil)
    }

    @Test func `a byte reader takes the longest run of bytes that match`() {
        var reader = reader("abc12")
        let runs = [
            reader.take(while: \.isLowercaseLetter), reader.take(while: \.isLowercaseLetter),
            reader.take(while: \.isDigit),
        ]
        #expect(runs.map { String(decoding: $0, as: UTF8.self) } == ["abc", "", "12"])
        #expect(reader.isAtEnd)
    }

    @Test func `a byte reader does not read a number with too few digits`() {
        var reader = reader("1x")
        let numbers = [reader.number(digits: 2), reader.number(digits: 1)]
        #expect(numbers == [nil, 1])
        #expect(reader.next == UInt8(ascii: "x"))
    }

    @Test func `skipBlanks skips tabs, and skipSpaces does not`() {
        var reader = reader(" \t x")
        reader.skipSpaces()
        #expect(reader.next == UInt8(ascii: "\t"))
        reader.skipBlanks()
        #expect(reader.next == UInt8(ascii: "x"))
    }

    @Test(arguments: [("", ""), (" \t ", ""), ("a", "a"), ("\t a b \t", "a b"), (" a\u{B}", "a\u{B}")])
    func `trimmingBlanks removes spaces and tabs at both ends`(_ text: String, _ trimmed: String) {
        #expect(Array(Array(text.utf8)[...].trimmingBlanks) == Array(trimmed.utf8))
    }
}

struct `A division that rounds down` {
    @Test(arguments: [(7, 2, 3, 1), (-7, 2, -4, 1), (-4, 2, -2, 0), (0, 5, 0, 0)])
    func `the remainder of a flooring division is never negative`(
        _ value: Int, _ divisor: Int, _ quotient: Int, _ remainder: Int
    ) {
        #expect(value.quotientAndRemainder(flooringBy: divisor) == (quotient, remainder))
    }
}
