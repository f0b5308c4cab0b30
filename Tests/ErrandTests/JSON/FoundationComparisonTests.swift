import Testing

@testable import Errand

@Suite struct `FastJSONDecoder beside Foundation's` {
    @Test(arguments: 0..<6) func `decodes the same values and fails at the same places`(_ seed: UInt64) throws {
        var random = RandomJSON(seed: seed)
        for _ in 0..<40 {
            let document = random.document()
            try compare(Data(document.utf8), as: Sample.self)
            try compare(Data(document.utf8), as: [Sample].self)
            try compare(Data(document.utf8), as: [String: JSONPart].self)
        }
    }

    @Test(arguments: 100..<106) func `accepts and refuses the same damaged documents`(_ seed: UInt64) throws {
        var random = RandomJSON(seed: seed)
        for _ in 0..<40 {
            let document = Data(random.mutated(random.document()))
            try compare(document, as: Sample.self)
            try compare(document, as: JSONPart.self)
        }
    }

    @Test(arguments: 200..<204) func `encodes the same JSON`(_ seed: UInt64) throws {
        var random = RandomJSON(seed: seed)
        let formats: [JSONEncoder.OutputFormatting] = [
            [.sortedKeys], [.sortedKeys, .prettyPrinted], [.sortedKeys, .withoutEscapingSlashes],
        ]
        for _ in 0..<40 {
            guard let sample = try? JSONDecoder().decode(Sample.self, from: Data(random.object(depth: 2).utf8)) else {
                continue
            }
            for format in formats {
                let foundation = JSONEncoder()
                foundation.outputFormatting = format
                var errand = FastJSONEncoder()
                errand.outputFormatting = format
                let expected = String(decoding: try foundation.encode(sample), as: UTF8.self)
                let found = String(decoding: try errand.encode(sample), as: UTF8.self)
                #expect(found == expected)
            }
        }
    }

    private func compare<Value: Decodable & Equatable>(_ document: Data, as type: Value.Type) throws {
        let errand = Outcome { try FastJSONDecoder().decode(type, from: document) }
        let foundation = Outcome { try JSONDecoder().decode(type, from: document) }
        guard errand != foundation, !isDocumentedDifference(document, errand, foundation) else { return }
        Issue.record(
            "\(type) of \(String(decoding: document, as: UTF8.self)): \(errand), and Foundation: \(foundation)")
    }

    /// What the guide's table lists.
    private func isDocumentedDifference<Value>(
        _ document: Data, _ errand: Outcome<Value>, _ foundation: Outcome<Value>
    ) -> Bool {
        let text = String(decoding: document, as: UTF8.self)
        // Foundation refuses zero with an exponent.
        if text.contains(#/\b0(\.0+)?[eE]/#) { return true }
        guard case .corrupted(let path) = errand else { return false }
        switch foundation {
        // Foundation accepts a comma before a closing bracket, and a sign inside a number.
        case .value: return text.contains(#/,\s*[\]}]|[0-9][-+]/#)
        // For a number that does not fit, Foundation says that the document is invalid.
        case .corrupted: return true
        // Foundation reads strings and numbers only when they are decoded, and may find something else before.
        default: return path.isEmpty
        }
    }
}

private enum Outcome<Value: Equatable>: Equatable {
    case value(Value)
    case mismatch(String)
    case missingValue(String)
    case missingKey(String)
    case corrupted(String)
    case other(String)

    init(_ decode: () throws -> Value) {
        do {
            self = .value(try decode())
        } catch DecodingError.typeMismatch(_, let context) {
            self = .mismatch(Self.path(context))
        } catch DecodingError.valueNotFound(_, let context) {
            self = .missingValue(Self.path(context))
        } catch DecodingError.keyNotFound(let key, let context) {
            self = .missingKey(Self.path(context) + "/" + key.stringValue)
        } catch DecodingError.dataCorrupted(let context) {
            self = .corrupted(Self.path(context))
        } catch {
            self = .other("\(error)")
        }
    }

    private static func path(_ context: DecodingError.Context) -> String {
        context.codingPath.map { $0.intValue.map(String.init) ?? $0.stringValue }.joined(separator: "/")
    }
}

/// Any JSON, by the containers that both decoders offer.
private indirect enum JSONPart: Decodable, Equatable {
    case null
    case bool(Bool)
    case number(Double)
    case string(String)
    case array([JSONPart])
    case object([String: JSONPart])

    init(from decoder: any Decoder) throws {
        if let container = try? decoder.container(keyedBy: JSONCodingKey.self) {
            var members: [String: JSONPart] = [:]
            for key in container.allKeys { members[key.stringValue] = try container.decode(JSONPart.self, forKey: key) }
            self = .object(members)
        } else if var container = try? decoder.unkeyedContainer() {
            var elements: [JSONPart] = []
            while !container.isAtEnd { elements.append(try container.decode(JSONPart.self)) }
            self = .array(elements)
        } else {
            let container = try decoder.singleValueContainer()
            if container.decodeNil() {
                self = .null
            } else if let bool = try? container.decode(Bool.self) {
                self = .bool(bool)
            } else if let string = try? container.decode(String.self) {
                self = .string(string)
            } else {
                self = .number(try container.decode(Double.self))
            }
        }
    }
}
