import ErrandJSON

extension DeviationExample {
    /// A value that a closure encodes.
    private struct Written: Encodable {
        let body: @Sendable (any Encoder) throws -> Void
        func encode(to encoder: any Encoder) throws { try body(encoder) }
    }

    /// Throws an error with its coding path.
    private static let failing = Written { encoder in
        throw EncodingError.invalidValue(
            0, EncodingError.Context(codingPath: encoder.codingPath, debugDescription: "refused"))
    }

    @Sendable private static func useSnakeCase(_ encoder: inout FastJSONEncoder, _ foundation: JSONEncoder) {
        encoder.keyEncodingStrategy = .convertToSnakeCase
        foundation.keyEncodingStrategy = .convertToSnakeCase
    }

    /// Arrays, one inside the other.
    private struct Nesting: Encodable {
        let depth: Int
        func encode(to encoder: any Encoder) throws {
            var array = encoder.unkeyedContainer()
            if depth > 1 { try array.encode(Nesting(depth: depth - 1)) }
        }
    }

    static let encoding = [
        encoding(
            .pathOfChangedKey, "convertToSnakeCase", foundation: "other at firstName", errand: "other at first_name",
            options: useSnakeCase
        ) { encoder in
            var object = encoder.container(keyedBy: AnyKey.self)
            try object.encode(failing, forKey: AnyKey("firstName"))
        },
        encoding(
            .pathInNestedContainer, "a member", foundation: "other at b", errand: "other at a/b"
        ) { encoder in
            var object = encoder.container(keyedBy: AnyKey.self)
            var nested = object.nestedContainer(keyedBy: AnyKey.self, forKey: AnyKey("a"))
            try nested.encode(failing, forKey: AnyKey("b"))
        },
        encoding(
            .pathInNestedContainer, "a super encoder", foundation: "other at 0", errand: "other at a/0"
        ) { encoder in
            var object = encoder.container(keyedBy: AnyKey.self)
            var nested = object.nestedUnkeyedContainer(forKey: AnyKey("a"))
            try failing.encode(to: nested.superEncoder())
        },
        encoding(
            .orderOfMembers, "two members", foundation: #"{"b":1,"a":2}"#, #"{"a":2,"b":1}"#,
            errand: #"{"b":1,"a":2}"#
        ) { encoder in
            var object = encoder.container(keyedBy: AnyKey.self)
            try object.encode(1, forKey: AnyKey("b"))
            try object.encode(2, forKey: AnyKey("a"))
        },
        encoding(
            .equivalentKeys, "two keys", foundation: #"{"é":2}"#, "{\"e\u{301}\":2}",
            errand: "{\"é\":1,\"e\u{301}\":2}"
        ) { encoder in
            var object = encoder.container(keyedBy: AnyKey.self)
            try object.encode(1, forKey: AnyKey("é"))
            try object.encode(2, forKey: AnyKey("e\u{301}"))
        },
        encoding(.lateEncoder, "an array", foundation: "[[1]]", errand: "other at ") { encoder in
            let kept = Kept()
            var array = encoder.unkeyedContainer()
            try array.encode(kept)
            try kept.container?.encode(2)
        },
        top(.decimalNaN, "Decimal.nan", Decimal.nan, foundation: "NaN", errand: "other at "),
        top(.emptyStrategy, "a date", Date(timeIntervalSince1970: 0), foundation: "{}", errand: "other at ") {
            $0.dateEncodingStrategy = .custom { _, _ in }
            $1.dateEncodingStrategy = .custom { _, _ in }
        },
        top(.emptyStrategy, "data", Data(), foundation: "{}", errand: "other at ") {
            $0.dataEncodingStrategy = .custom { _, _ in }
            $1.dataEncodingStrategy = .custom { _, _ in }
        },
        top(
            .encodingDepth, "512 arrays", Nesting(depth: 512), foundation: "other at ",
            errand: String(repeating: "[", count: 512) + String(repeating: "]", count: 512)),
    ]

    private final class Kept: Encodable {
        var container: (any UnkeyedEncodingContainer)?
        func encode(to encoder: any Encoder) throws {
            container = encoder.unkeyedContainer()
            try container?.encode(1)
        }
    }

    /// A value of a type that the coders treat themselves.
    private static func top(
        _ deviation: Deviation, _ name: String, _ value: some Encodable & Sendable, foundation: String,
        errand: String, options: @escaping @Sendable (inout FastJSONEncoder, JSONEncoder) -> Void = { _, _ in }
    ) -> DeviationExample {
        DeviationExample(deviation: deviation, name: name, foundation: [foundation], errand: [errand]) {
            var encoder = FastJSONEncoder()
            let foundation = JSONEncoder()
            options(&encoder, foundation)
            return (
                JSONOutcome { String(decoding: try foundation.encode(value), as: UTF8.self) }.description,
                JSONOutcome { String(decoding: try encoder.encode(value), as: UTF8.self) }.description
            )
        }
    }
}
