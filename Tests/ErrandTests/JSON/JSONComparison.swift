@testable import Errand

/// What Errand's decoder and Foundation's make of a document.
struct JSONComparison<Value: Decodable & Equatable>: CustomStringConvertible {
    let errand: JSONOutcome<Value>
    let foundation: JSONOutcome<Value>
    private let document: Data

    init(
        _ document: Data, as type: Value.Type, _ decoder: FastJSONDecoder = FastJSONDecoder(),
        _ foundationDecoder: JSONDecoder = JSONDecoder()
    ) {
        self.document = document
        errand = JSONOutcome { try decoder.decode(type, from: document) }
        foundation = JSONOutcome { try foundationDecoder.decode(type, from: document) }
    }

    var description: String {
        "\(Value.self) of \(String(decoding: document, as: UTF8.self).debugDescription): \(errand), Foundation: \(foundation)"
    }

    /// Whether both are the same, or differ as the guide's table says.
    var isExplained: Bool {
        if errand == foundation { return true }
        let text = String(decoding: document, as: UTF8.self)
        // Foundation refuses zero with an exponent.
        if text.contains(#/\b0(\.0+)?[eE]/#) { return true }
        // Of two members with one key, Foundation decodes both to a dictionary's value.
        if hasEqualKeys { return true }
        // Foundation passes over what is not a whole unit of UTF-16 or UTF-32, and tells them by two characters.
        if document.prefix(4).contains(0) || document.starts(with: [0xFE, 0xFF]) || document.starts(with: [0xFF, 0xFE])
        {
            return true
        }
        // Foundation reads some of the whole numbers that have an exponent or a fraction.
        if errand.isValue, case .corrupted = foundation { return text.contains(#/[0-9](\.[0-9]|[eE])/#) }
        guard case .corrupted(let path) = errand else { return false }
        switch foundation {
        // Foundation accepts a comma before a closing bracket, and a sign inside a number, cuts the fraction off for an integer of 128
        // bits, and does not check what is not decoded.
        case .value:
            return text.contains(#/,\s*[\]}]|[0-9][-+]|[0-9]\.[0-9]/#)
                || (try? JSONDecoder().decode(JSONPart.self, from: document)) == nil
        // For a number that does not fit, Foundation says that the document is invalid.
        case .corrupted: return true
        // Foundation reads strings and numbers only when they are decoded, and may find something else before.
        default: return path.isEmpty
        }
    }

    /// Whether neither has a value. Foundation decodes the members of a dictionary in no order, and finds any of their errors.
    var areErrors: Bool { !errand.isValue && !foundation.isValue }

    private var hasEqualKeys: Bool {
        document.withUnsafeBytes { bytes in
            guard let tokenizer = try? JSONTokenizer.tokens(of: bytes.bindMemory(to: UInt8.self), depth: 512) else {
                return false
            }
            defer { tokenizer.release() }
            let tape = tokenizer.tape
            var index = 0
            while index < tokenizer.count {
                if tape[index].kind == .object, tape[index].isMarked { return true }
                index = tape[index].isContainer ? tape.firstChild(of: index) : tape.next(after: index)
            }
            return false
        }
    }
}

/// A value, or the kind of an error with its coding path.
enum JSONOutcome<Value: Equatable>: Equatable {
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

    var isValue: Bool {
        if case .value = self { true } else { false }
    }

    private static func path(_ context: DecodingError.Context) -> String {
        context.codingPath.map { $0.intValue.map(String.init) ?? $0.stringValue }.joined(separator: "/")
    }
}

/// Any JSON, by the containers that both decoders offer.
indirect enum JSONPart: Decodable, Equatable {
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
