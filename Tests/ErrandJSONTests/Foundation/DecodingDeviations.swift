import ErrandJSON

extension DeviationExample {
    struct Count: Decodable, Equatable { var a: Int }

    enum Mode: String, Decodable { case on }

    struct Accented: Decodable, Equatable {
        var number: Int
        private enum CodingKeys: String, CodingKey { case number = "é" }
    }

    struct Camel: Decodable, Equatable { var aB: Int }

    /// Its superclass part has a name.
    struct Animal: Decodable, Equatable {
        let path: [String]

        init(from decoder: any Decoder) throws {
            let parent = try decoder.container(keyedBy: AnyKey.self).superDecoder()
            do {
                _ = try parent.container(keyedBy: AnyKey.self)
                path = []
            } catch DecodingError.valueNotFound(_, let context) {
                path = context.codingPath.map(\.stringValue)
                throw DecodingError.valueNotFound(Self.self, context)
            }
        }
    }

    struct Refusing: Decodable, Equatable {
        init(from decoder: any Decoder) throws {
            throw DecodingError.dataCorrupted(DecodingError.Context(codingPath: [], debugDescription: "refused"))
        }
    }

    static let decoding: [DeviationExample] = syntax + numbers + values + keys

    private static let syntax = [
        decoding(.commaBeforeBracket, "[1,]", as: [Int].self, foundation: "[1]", errand: "corrupted at "),
        decoding(
            .commaBeforeBracket, #"{"a":1,}"#, as: Count.self, foundation: "Count(a: 1)", errand: "corrupted at "),
        decoding(
            .damagedUTF16, Data("[1]".utf8.flatMap { [$0, 0] } + [0x20]), name: "UTF-16 with half a unit",
            as: [Int].self, foundation: ["[1]"], errand: ["corrupted at "]),
        decoding(
            .damagedUTF16, Data([0xFF, 0xFE] + "[1]".utf8.flatMap { [$0, 0] } + [0x20]), name: "UTF-16 with a mark",
            as: [Int].self, foundation: ["[1]"], errand: ["corrupted at "]),
        decoding(
            .encodingByFirstCharacter, Data([0x22, 0, 0x71, 0x67, 0x22, 0]), name: "東 in UTF-16", as: String.self,
            foundation: ["corrupted at "], errand: ["東"]),
        decoding(
            .unreadPart, #"{"a":1,"b":"\x"}"#, as: Count.self, foundation: "Count(a: 1)", errand: "corrupted at "),
        decoding(.unreadPart, #"{"a":1,"b":01}"#, as: Count.self, foundation: "Count(a: 1)", errand: "corrupted at "),
        decoding(
            .unreadPart, Data(Array(#"{"a":1,"b":""#.utf8) + [0xFF] + Array("\"}".utf8)), name: "invalid UTF-8",
            as: Count.self, foundation: ["Count(a: 1)"], errand: ["corrupted at "]),
        decoding(
            .syntaxBeforeMismatch, #"{"a":"x","b":"\x"}"#, as: Count.self, foundation: "mismatch at a",
            errand: "corrupted at "),
        decoding(
            .limits, "0." + String(repeating: "1", count: 4_096), as: Double.self, foundation: "0.1111111111111111",
            errand: "corrupted at "),
        decoding(.json5, "{a:1}", as: Count.self, foundation: "Count(a: 1)", errand: "corrupted at ") {
            $1.allowsJSON5 = true
        },
        decoding(.json5, #""a":1"#, as: Count.self, foundation: "Count(a: 1)", errand: "corrupted at ") {
            $1.assumesTopLevelDictionary = true
        },
    ]

    private static let numbers = [
        decoding(.zeroWithExponent, "[0e1]", as: [Double].self, foundation: "corrupted at ", errand: "[0.0]"),
        decoding(.zeroWithExponent, "[0e1]", as: [Float].self, foundation: "corrupted at ", errand: "[0.0]"),
        decoding(
            .zeroWithExponent, "[0e1]", as: [Date].self, foundation: "corrupted at ",
            errand: "[2001-01-01 00:00:00 +0000]"),
        decoding(.pathOfNumber, "[300]", as: [Int8].self, foundation: "corrupted at ", errand: "corrupted at 0"),
        decoding(.pathOfNumber, "[1.5]", as: [Int].self, foundation: "corrupted at ", errand: "corrupted at 0"),
        decoding(.pathOfNumber, "[1e400]", as: [Double].self, foundation: "corrupted at ", errand: "corrupted at 0"),
        decoding(
            .wholeNumber, "[1e20]", as: [Int128].self, foundation: "corrupted at ", errand: "[100000000000000000000]"),
        decoding(
            .wholeNumber, "[18446744073709551615.0]", as: [UInt64].self, foundation: "corrupted at ",
            errand: "[18446744073709551615]"),
        decoding(.cutFraction, "[1e-400]", as: [Int].self, foundation: "[0]", errand: "corrupted at 0"),
        decoding(
            .cutFraction, "[123456789012345678900e-4]", as: [Int].self, foundation: "[12345678901234567]",
            errand: "corrupted at 0"),
    ]

    private static let values = [
        decoding(.null, "[null]", as: [Bool].self, foundation: "mismatch at 0", errand: "missingValue at 0"),
        type(of: URL.self, foundation: "URL", errand: "String"),
        type(of: Data.self, foundation: "Data", errand: "String"),
        type(of: Date.self, foundation: "Date", errand: "Double"),
        decoding(.pathOfISO8601, #"["x"]"#, as: [Date].self, foundation: "corrupted at ", errand: "corrupted at 0") {
            $0.dateDecodingStrategy = .iso8601
            $1.dateDecodingStrategy = .iso8601
        },
        decoding(
            .pathOfISO8601, #"{"a":{"b":"x"}}"#, as: [String: [String: Date]].self, foundation: "corrupted at a",
            errand: "corrupted at a/b"
        ) {
            $0.dateDecodingStrategy = .iso8601
            $1.dateDecodingStrategy = .iso8601
        },
        decoding(
            .escapedURL, #"["https://a.example/x?f[a]=1&q=a%20b"]"#, as: [URL].self,
            foundation: "[https://a.example/x?f%5Ba%5D=1&q=a%2520b]",
            errand: "[https://a.example/x?f%5Ba%5D=1&q=a%20b]"),
        text(.rawValue, #"["secret"]"#, as: [Mode].self) { $0.contains("secret") ? "quoted" : "not quoted" },
        text(.ownError, "[1]", as: [Refusing].self) { $0.contains("line 1, column 2") ? "place" : "no place" },
        text(.missingSuper, " {}", as: Animal.self) { $0.contains("line 1, column 2") ? "place" : "no place" },
    ]

    private static let keys = [
        decoding(
            .equivalentKeys, "{\"e\u{301}\":1}", as: Accented.self, foundation: "Accented(number: 1)",
            errand: "missingKey at é"),
        decoding(
            .convertedKeys, #"{"a_b":1,"aB":2}"#, as: Camel.self, foundation: "Camel(aB: 1)", "Camel(aB: 2)",
            errand: "Camel(aB: 1)", "Camel(aB: 2)"
        ) {
            $0.keyDecodingStrategy = .convertFromSnakeCase
            $1.keyDecodingStrategy = .convertFromSnakeCase
        },
        decoding(
            .repeatedKey, #"{"a":1,"a":"x"}"#, as: [String: Int].self, foundation: "mismatch at a",
            errand: "[\"a\": 1]"
        ) {
            $0.keyDecodingStrategy = .convertFromSnakeCase
            $1.keyDecodingStrategy = .convertFromSnakeCase
        },
        decoding(
            .orderOfErrors, #"{"a":"x","b":"y"}"#, as: [String: Int].self, foundation: "mismatch at a",
            "mismatch at b", errand: "mismatch at a"),
    ]

    /// An example for the type that the error for `null` names.
    private static func type<Value: Decodable & SendableMetatype>(
        of type: Value.Type, foundation: String, errand: String
    ) -> DeviationExample {
        @Sendable func name(_ decode: () throws -> [Value]) -> String {
            do {
                return "\(try decode())"
            } catch DecodingError.valueNotFound(let type, _) {
                return "\(type)"
            } catch {
                return "\(error)"
            }
        }
        return DeviationExample(
            deviation: .null, name: "\(type) of null", foundation: [foundation], errand: [errand]
        ) {
            let document = Data("[null]".utf8)
            return (
                name { try JSONDecoder().decode([Value].self, from: document) },
                name { try FastJSONDecoder().decode([Value].self, from: document) }
            )
        }
    }

    /// An example for the descriptions of the errors.
    private static func text<Value: Decodable & SendableMetatype>(
        _ deviation: Deviation, _ document: String, as type: Value.Type,
        _ classify: @escaping @Sendable (String) -> String
    ) -> DeviationExample {
        @Sendable func text(_ decode: () throws -> Value) -> String {
            do {
                return "\(try decode())"
            } catch {
                return classify("\(error)")
            }
        }
        let isQuote = deviation == .rawValue
        return DeviationExample(
            deviation: deviation, name: "\(type)", foundation: [isQuote ? "quoted" : "no place"],
            errand: [isQuote ? "not quoted" : "place"]
        ) {
            (
                text { try JSONDecoder().decode(type, from: Data(document.utf8)) },
                text { try FastJSONDecoder().decode(type, from: document) }
            )
        }
    }
}
