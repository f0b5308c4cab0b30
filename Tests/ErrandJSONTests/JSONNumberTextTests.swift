import ErrandJSON
import Testing

struct `JSON numbers` {
    @Test(arguments: 0..<3) func `random numbers are parsed as the nearest Double`(_ seed: UInt64) throws {
        var random = RandomJSON(seed: seed)
        for _ in 0..<1_000 {
            let digits = (0..<random.number(1..<24)).map { _ in "\(random.number(0..<10))" }.joined()
            let text = "1\(digits.prefix(digits.count / 2)).\(digits)e\(random.number(-340..<310))"
            expectSame(text)
            let value = Double(bitPattern: random.bits())
            if value.isFinite { expectSame("\(value)") }
        }
    }

    @Test(arguments: [
        "0", "-0", "5e-324", "2.2250738585072011e-308", "2.2250738585072014e-308", "1.7976931348623157e308",
        "9007199254740993",
        "9007199254740992.5", "9007199254740993.0000000000000000000000000001", "1e23", "8.5e22", "1e-22",
        "123456789012345678901",
        "0.000000000000000000000000000000000000000000000000000000000000000000000000001", "4.35", "0.1e1", "1e00",
        "3e-324",
        "6929495644600919.5", "9355950000000000000.00000000000000000000000000000000001844674407370955161600000184467",
    ]) func `numbers at the limits of Double are parsed as the nearest value`(_ text: String) {
        expectSame(text)
    }

    private func expectSame(_ text: String) {
        guard let expected = Double(text), expected.isFinite, expected != 0 || !text.contains(#/[1-9]/#) else {
            #expect(throws: DecodingError.self, "\(text)") {
                try FastJSONDecoder().decode(Double.self, from: Data(text.utf8))
            }
            return
        }
        do {
            let found = try FastJSONDecoder().decode(Double.self, from: Data(text.utf8))
            if found.bitPattern != expected.bitPattern { Issue.record("\(text): \(found), not \(expected)") }
        } catch {
            Issue.record("\(text): \(error)")
        }
    }

    @Test(arguments: 0..<3) func `a Double is written with the fewest digits, as in Swift`(_ seed: UInt64) throws {
        var random = RandomJSON(seed: seed)
        for index in 0..<1_000 {
            let bits =
                index % 2 == 0
                ? random.bits()
                : UInt64(bitPattern: Int64(random.number(-1000..<1000))) << UInt64(random.number(0..<60))
            expectDescription(Double(bitPattern: bits))
            expectDescription(Double(random.number(-1_000_000..<1_000_000)) / 1000)
        }
        for value in [
            0x1p54, 0x1p54 + 4, 0x1p53, 9_999_999_999_999_998, 1e-4, 1e-5, 9.999e-5, 0.00012345, 1e15, 1e16, 1e17,
            .leastNonzeroMagnitude,
            .greatestFiniteMagnitude,
        ] {
            expectDescription(value)
            expectDescription(-value)
        }
    }

    private func expectDescription(_ value: Double) {
        guard value.isFinite else { return }
        let expected = "\(value)".hasSuffix(".0") ? String("\(value)".dropLast(2)) : "\(value)"
        let found = JSONNumber(value)?.description
        if found != expected { Issue.record("\(found ?? "nil"), not \(expected)") }
    }

    @Test func `whole numbers that fit are parsed as integers`() throws {
        func decode<Value: FixedWidthInteger & Decodable>(_ text: String, _ type: Value.Type) -> Value? {
            try? FastJSONDecoder().decode(type, from: Data(text.utf8))
        }
        #expect(decode("9223372036854775807", Int.self) == .max)
        #expect(decode("-9223372036854775808", Int.self) == .min)
        #expect(decode("9223372036854775808", Int.self) == nil)
        #expect(decode("9223372036854775807.0", Int.self) == .max)
        #expect(decode("18446744073709551615", UInt64.self) == .max)
        #expect(decode("18446744073709551616", UInt64.self) == nil)
        #expect(decode("99999999999999999999", UInt64.self) == nil)
        #expect(decode("18446744073709551616", UInt128.self) == UInt128(UInt64.max) + 1)
        #expect(decode("-9223372036854775809", Int.self) == nil)
        #expect(decode("-9223372036854775809", Int128.self) == Int128(Int.min) - 1)
        #expect(decode("-18446744073709551615", Int128.self) == -Int128(UInt64.max))
        #expect(decode("1234567890123456789", Int.self) == 1_234_567_890_123_456_789)
        #expect(decode("255", UInt8.self) == 255)
        #expect(decode("256", UInt8.self) == nil)
        #expect(decode("-1", UInt8.self) == nil)
        #expect(decode("-128", Int8.self) == -128)
        #expect(decode("1.0", Int.self) == 1)
        #expect(decode("120e-1", Int.self) == 12)
        #expect(decode("12e2", Int.self) == 1200)
        #expect(decode("1.5", Int.self) == nil)
        #expect(decode("123e-1", Int.self) == nil)
        #expect(decode("0e99999999999999999999", Int.self) == 0)
        #expect(decode("1e99999999999999999999", Int.self) == nil)
        #expect(decode("1e-99999999999999999999", Int.self) == nil)
        #expect(decode("340282366920938463463374607431768211455", UInt128.self) == .max)
        #expect(decode("-170141183460469231731687303715884105728", Int128.self) == .min)
    }
}
