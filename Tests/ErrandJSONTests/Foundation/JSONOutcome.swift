@testable import ErrandJSON

/// A value, or the kind of an error with its coding path.
enum JSONOutcome<Value: Equatable>: Equatable, CustomStringConvertible {
    case value(Value)
    case failure(JSONFailure)

    init(_ decode: () throws -> Value) {
        do {
            self = .value(try decode())
        } catch {
            self = .failure(JSONFailure(error))
        }
    }

    var failure: JSONFailure? {
        if case .failure(let failure) = self { failure } else { nil }
    }

    var description: String {
        switch self {
        case .value(let value): "\(value)"
        case .failure(let failure): failure.description
        }
    }
}

/// The parts of an error that two decoders have in common: its kind and its coding path.
struct JSONFailure: Equatable, CustomStringConvertible {
    enum Kind { case mismatch, missingValue, missingKey, corrupted, other }

    let kind: Kind
    /// Indices as numbers.
    let path: [String]
    /// Which parts of the path are indices.
    let indices: [Bool]
    /// The kind of value that Errand's decoder found.
    let found: String?

    init(_ error: any Error) {
        let kind: Kind
        var keys: [any CodingKey]
        switch error {
        case DecodingError.typeMismatch(_, let context): (kind, keys) = (.mismatch, context.codingPath)
        case DecodingError.valueNotFound(_, let context): (kind, keys) = (.missingValue, context.codingPath)
        case DecodingError.keyNotFound(let key, let context): (kind, keys) = (.missingKey, context.codingPath + [key])
        case DecodingError.dataCorrupted(let context): (kind, keys) = (.corrupted, context.codingPath)
        case EncodingError.invalidValue(_, let context): (kind, keys) = (.other, context.codingPath)
        default: (kind, keys) = (.other, [])
        }
        self.kind = kind
        path = keys.map { $0.intValue.map(String.init) ?? $0.stringValue }
        indices = keys.map { $0.stringValue.hasPrefix("Index ") }
        found = (error as? DecodingError)?.jsonLocation?.found
    }

    static func == (left: JSONFailure, right: JSONFailure) -> Bool {
        left.kind == right.kind && left.path == right.path
    }

    /// Whether the paths of two errors diverge at an object, and not at an array.
    func isInAnotherMember(than other: JSONFailure) -> Bool {
        for (index, pair) in zip(path, other.path).enumerated() where pair.0 != pair.1 {
            return !indices[index] && !other.indices[index]
        }
        return false
    }

    var description: String { "\(kind) at \(path.joined(separator: "/"))" }
}
