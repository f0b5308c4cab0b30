/// A type that is made up from the input, for both decoders to read.
indirect enum JSONSchema: Sendable {
    case leaf(Leaf)
    case optional(JSONSchema)
    case array(JSONSchema)
    case dictionary(JSONSchema)
    case object([Member])

    enum Leaf: CaseIterable, Sendable {
        case bool, string, int, int8, int16, uint8, uint32, uint64, int128, uint128, float, double, decimal, url, date
        case data, strings, integers, doubles, counts, numbered, key
    }

    struct Member: Sendable {
        let key: String
        let schema: JSONSchema
        let access: Access
    }

    /// Which method of a container decodes a member.
    enum Access: CaseIterable, Sendable {
        case value, valueIfPresent, container, superDecoder
    }

    static let keys = [
        "a", "b", "ab", "camelCase", "snake_case", "_x", "é", "a long key of an object", "",
    ]

    init(_ input: inout FuzzInput, depth: Int) {
        let number = input.number()
        switch depth > 0 ? number % 8 : 0 {
        case 1: self = .optional(JSONSchema(&input, depth: depth - 1))
        case 2: self = .array(JSONSchema(&input, depth: depth - 1))
        case 3: self = .dictionary(JSONSchema(&input, depth: depth - 1))
        case 4...7:
            var members: [Member] = []
            for _ in 0...(number >> 3) % 5 {
                let choice = input.number()
                let key = Self.keys[choice % Self.keys.count]
                if members.contains(where: { $0.key == key }) { continue }
                members.append(
                    Member(
                        key: key, schema: JSONSchema(&input, depth: depth - 1),
                        access: Access.allCases[(choice >> 4) % Access.allCases.count]))
            }
            self = .object(members)
        default: self = .leaf(Leaf.allCases[(number >> 3) % Leaf.allCases.count])
        }
    }

    /// Writes a document that mostly fits the type.
    func document(_ input: inout FuzzInput) -> String {
        let choice = input.number()
        if choice % 32 == 31 { return Self.anything(&input) }
        let space = ["", "", " ", "\n    ", "\t"][choice % 5]
        switch self {
        case .leaf(let leaf): return leaf.document(&input)
        case .optional(let schema): return choice % 4 == 0 ? "null" : schema.document(&input)
        case .array(let schema):
            return "[" + space + (0..<choice % 4).map { _ in schema.document(&input) }.joined(separator: ",") + "]"
        case .dictionary(let schema):
            let members = (0..<choice % 4).map { number in
                Self.string(of: Self.keys[(choice + number) % Self.keys.count], &input) + ":" + schema.document(&input)
            }
            return "{" + members.joined(separator: space + "," + space) + "}"
        case .object(var members):
            if choice & 32 != 0 { members.reverse() }
            if choice & 64 != 0 { members = Array(members.dropLast()) }
            let texts = members.map {
                Self.string(of: $0.key, &input) + space + ":" + space + $0.schema.document(&input)
            }
            return "{" + space + texts.joined(separator: "," + space) + "}"
        }
    }

    private static func anything(_ input: inout FuzzInput) -> String {
        let values = [
            "null", "true", "1", "-1.5", "\"text\"", "[]", "{}", "[null]", "{\"a\":1}", "1e999", "\"\\ud83d\\udea2\"",
        ]
        return values[input.number() % values.count]
    }

    /// A string, some of whose characters are escaped.
    static func string(of text: String, _ input: inout FuzzInput) -> String {
        let escaped = input.number()
        var written = "\""
        for (index, unit) in text.utf16.enumerated() {
            let isSpecial = unit < 0x20 || unit == 0x22 || unit == 0x5C || unit >= 0xD800 && unit < 0xE000
            if isSpecial || escaped & 3 == 3 && (escaped >> 2) % 8 == index % 8 {
                let digits = String(unit, radix: 16, uppercase: escaped & 128 != 0)
                written += "\\u" + String(repeating: "0", count: 4 - digits.count) + digits
            } else {
                written.unicodeScalars.append(Unicode.Scalar(unit).unsafelyUnwrapped)
            }
        }
        return written + "\""
    }
}

extension JSONSchema.Leaf {
    fileprivate func document(_ input: inout FuzzInput) -> String {
        let texts = [
            "", "text", "naïve 東京 🚢", "a\nb\"c\\d/", "https://example.com/a?b=c", "not a url %", "AAEC/w==",
            "2026-11-23T04:05:06Z",
        ]
        let integers = [
            "0", "-0", "1", "-1", "127", "128", "-128", "-129", "255", "256", "32767", "65536", "4294967295",
            "4294967296",
            "9223372036854775807", "9223372036854775808", "-9223372036854775808", "18446744073709551615",
            "18446744073709551616", "170141183460469231731687303715884105727",
            "340282366920938463463374607431768211456",
        ]
        let fractions = [
            "0.1", "1.0", "2.50", "1e2", "1E+2", "12e-1", "1.7976931348623157e308", "5e-324", "3.4028235e38", "1e39",
            "0.0",
            "123456789012345678901234567890.5", "9007199254740993", "-2.2250738585072014e-308", "0.30000000000000004",
        ]
        let choice = input.number()
        func number(_ texts: [String]) -> String { texts[(choice >> 1) % texts.count] }
        func list(_ element: () -> String) -> String {
            "[" + (0..<choice % 4).map { _ in element() }.joined(separator: ", ") + "]"
        }
        switch self {
        case .bool: return choice & 1 == 0 ? "true" : "false"
        case .string, .url, .data, .key: return JSONSchema.string(of: texts[choice % texts.count], &input)
        case .date:
            return choice & 1 == 0
                ? number(fractions) : JSONSchema.string(of: texts[texts.count - 1 - choice % 2], &input)
        case .float, .double, .decimal: return number(choice & 1 == 0 ? fractions : integers)
        case .strings: return list { JSONSchema.string(of: texts[input.number() % texts.count], &input) }
        case .integers: return list { integers[input.number() % 8] }
        case .doubles: return list { fractions[input.number() % fractions.count] }
        case .counts: return "{" + (0..<choice % 3).map { "\"k\($0)\":\($0)" }.joined(separator: ",") + "}"
        case .numbered: return "{" + (0..<choice % 3).map { "\"\($0)\":\"v\"" }.joined(separator: ",") + "}"
        default: return number(choice % 8 == 7 ? fractions : integers)
        }
    }
}
