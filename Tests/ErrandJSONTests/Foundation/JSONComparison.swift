@testable import ErrandJSON

/// The results of Errand's decoder and Foundation's for a document.
struct JSONComparison<Value: Decodable & Equatable>: CustomStringConvertible {
    let errand: JSONOutcome<Value>
    let foundation: JSONOutcome<Value>
    private let document: ComparedDocument
    private let decoder: FastJSONDecoder

    init(
        _ document: Data, as type: Value.Type, _ decoder: FastJSONDecoder = FastJSONDecoder(),
        _ foundationDecoder: JSONDecoder = JSONDecoder()
    ) {
        self.document = ComparedDocument(document)
        self.decoder = decoder
        errand = JSONOutcome { try decoder.decode(type, from: document) }
        foundation = JSONOutcome { try foundationDecoder.decode(type, from: document) }
    }

    var description: String {
        "\(Value.self) of \(document.text.debugDescription): \(errand), Foundation: \(foundation)"
    }

    /// Whether the results are equal, or a row of the guide's table explains the difference.
    var isExplained: Bool { errand == foundation || deviation != nil }

    /// The row of the guide's table that explains the difference; `nil` if none does.
    var deviation: Deviation? {
        switch (errand, foundation) {
        case (.value, .value): differentKeys ?? escapedURL
        case (.value, .failure(let foundation)): refused(by: foundation)
        case (.failure(let errand), .value): accepted(insteadOf: errand)
        case (.failure(let errand), .failure(let foundation)): difference(of: errand, and: foundation)
        }
    }

    /// Foundation rejects a document that Errand accepts.
    private func refused(by foundation: JSONFailure) -> Deviation? {
        if document.isTakenForAnotherEncoding { return .encodingByFirstCharacter }
        if mayDecodeRepeatedKey { return .repeatedKey }
        guard foundation.kind == .corrupted, foundation.path.isEmpty else { return differentKeys }
        if document.text.contains(#/\b0[eE]/#) { return .zeroWithExponent }
        return document.text.contains(#/[0-9](\.[0-9]|[eE])/#) ? .wholeNumber : nil
    }

    /// Foundation accepts a document that Errand rejects.
    private func accepted(insteadOf errand: JSONFailure) -> Deviation? {
        guard document.isJSON else {
            if document.isDamagedUTF16 { return .damagedUTF16 }
            // Without these commas, the document is JSON, or has a part that Foundation does not accept either.
            let whole = document.withoutLastCommas
            if whole.isJSON { return .commaBeforeBracket }
            return whole.isAcceptedByFoundation ? nil : .unreadPart
        }
        return errand.kind == .corrupted && errand.found == "a number" && document.text.contains(#/[0-9][.eE]/#)
            ? .cutFraction : differentKeys
    }

    private func difference(of errand: JSONFailure, and foundation: JSONFailure) -> Deviation? {
        if document.isTakenForAnotherEncoding { return .encodingByFirstCharacter }
        guard document.isJSON else { return .syntaxBeforeMismatch }
        let isWithoutPath = foundation.kind == .corrupted && foundation.path.isEmpty
        if errand.kind == .corrupted, isWithoutPath, errand.found == "a number" { return .pathOfNumber }
        if errand.kind == .corrupted, foundation.kind == .corrupted, errand.found == "a string",
            errand.path != foundation.path, errand.path.starts(with: foundation.path),
            case .iso8601 = decoder.dateDecodingStrategy
        {
            return .pathOfISO8601
        }
        if errand.path == foundation.path {
            return errand.kind == .missingValue && foundation.kind == .mismatch ? .null : nil
        }
        // One decoder continued after a number that the other one rejected.
        if let deviation = refused(by: foundation) ?? accepted(insteadOf: errand) { return deviation }
        return isWithoutPath && errand.indices.contains(false) || errand.isInAnotherMember(than: foundation)
            ? .orderOfErrors : nil
    }

    /// Whether Foundation may have decoded a value that Errand leaves out.
    private var mayDecodeRepeatedKey: Bool {
        if case .useDefaultKeys = decoder.keyDecodingStrategy { return false }
        return document.hasRepeatedKey
    }

    /// The reason why a key can have another value, or none.
    /// Foundation escapes the percent sign of an escape.
    private var escapedURL: Deviation? {
        func text(_ outcome: JSONOutcome<Value>) -> String { "\(outcome)".replacing("%25", with: "%") }
        return document.text.contains("%") && text(errand) == text(foundation) ? .escapedURL : nil
    }

    private var differentKeys: Deviation? {
        let keys = document.keys
        if keys.contains(where: { !$0.unicodeScalars.allSatisfy(\.isASCII) }) { return .equivalentKeys }
        guard case .convertFromSnakeCase = decoder.keyDecodingStrategy else { return nil }
        return Set(keys.map { SnakeCase.camelCase(of: $0) }).count < Set(keys).count ? .convertedKeys : nil
    }
}

/// Any JSON value, decoded with the containers that both decoders offer.
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
