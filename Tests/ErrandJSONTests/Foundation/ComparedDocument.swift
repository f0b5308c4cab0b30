@testable import ErrandJSON

/// A document that may not be JSON, in UTF-8.
struct ComparedDocument {
    private let utf8: Data
    /// Whether the document is UTF-16 or UTF-32 that is not valid.
    let isDamagedUTF16: Bool
    /// Whether Foundation mistakes UTF-16 or UTF-32 for another encoding, because it recognizes them by two characters.
    let isTakenForAnotherEncoding: Bool

    init(_ document: Data) {
        let encoding = document.withUnsafeBytes { JSONEncoding($0) }
        let converted = encoding.map { encoding in document.withUnsafeBytes { encoding.utf8($0) }.map { Data($0) } }
        isDamagedUTF16 = converted == .some(nil)
        utf8 = converted.map { $0 ?? Data() } ?? document
        let second = String(decoding: utf8, as: UTF8.self).unicodeScalars.dropFirst().first
        let isMarked = document.starts(with: [0xFE, 0xFF]) || document.starts(with: [0xFF, 0xFE])
        isTakenForAnotherEncoding = encoding != nil && !isMarked && !(second?.isASCII ?? false)
    }

    var text: String { String(decoding: utf8, as: UTF8.self) }

    var isJSON: Bool { !isDamagedUTF16 && (try? FastJSONDecoder().decode(JSONValue.self, from: utf8)) != nil }

    /// Whether Foundation accepts the document when all of it is decoded.
    var isAcceptedByFoundation: Bool { (try? JSONDecoder().decode(JSONPart.self, from: utf8)) != nil }

    /// The document without commas before closing brackets.
    var withoutLastCommas: ComparedDocument {
        var kept = Data()
        for (index, byte) in utf8.enumerated() {
            let next = utf8.dropFirst(index + 1).first { !Array(" \n\r\t".utf8).contains($0) }
            let isLast = next == UInt8(ascii: "]") || next == UInt8(ascii: "}")
            if byte != UInt8(ascii: ",") || !isLast { kept.append(byte) }
        }
        return ComparedDocument(kept)
    }

    /// Whether a key occurs twice in an object.
    var hasRepeatedKey: Bool {
        guard isJSON else { return false }
        var objects: [Set<String>] = []
        let tokens = #/"(?:[^"\\]|\\.)*"\s*(?<colon>:?)|[{}]/#.matchingSemantics(.unicodeScalar)
        for match in text.matches(of: tokens) {
            switch match.output.0 {
            case "{": objects.append([])
            case "}": objects.removeLast()
            default:
                guard match.output.colon == ":" else { continue }
                let quoted = Data(match.output.0.dropLast().utf8)
                guard let key = try? JSONDecoder().decode(String.self, from: quoted),
                    objects[objects.count - 1].insert(key).inserted
                else { return true }
            }
        }
        return false
    }

    /// The keys of all objects.
    var keys: [String] {
        guard let value = try? FastJSONDecoder().decode(JSONKeys.self, from: utf8) else { return [] }
        return value.keys
    }
}

/// The keys of a document, in its order.
private struct JSONKeys: Decodable {
    var keys: [String] = []

    init(from decoder: any Decoder) throws {
        if let object = try? decoder.container(keyedBy: JSONCodingKey.self) {
            for key in object.allKeys {
                keys += [key.stringValue] + (try object.decode(JSONKeys.self, forKey: key)).keys
            }
        } else if var array = try? decoder.unkeyedContainer() {
            while !array.isAtEnd { keys += try array.decode(JSONKeys.self).keys }
        }
    }
}
