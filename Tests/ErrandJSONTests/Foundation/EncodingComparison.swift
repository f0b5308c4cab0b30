import Foundation

@testable import ErrandJSON

/// The results of Errand's encoder and Foundation's for a value, with options that are generated from numbers.
struct EncodingComparison: CustomStringConvertible {
    private let value: EncodedValue
    private let encoder: FastJSONEncoder
    private let errand: JSONOutcome<String>
    private let foundation: JSONOutcome<String>

    init(_ next: () -> Int) {
        var errand = FastJSONEncoder()
        let foundation = JSONEncoder()
        let options = next()
        let formatting = JSONEncoder.OutputFormatting(rawValue: 0)
            .union(options & 1 != 0 ? .prettyPrinted : []).union(options & 2 != 0 ? .sortedKeys : [])
            .union(options & 4 != 0 ? .withoutEscapingSlashes : [])
        (errand.outputFormatting, foundation.outputFormatting) = (formatting, formatting)
        let dates = Self.dates[(options >> 3) % Self.dates.count]
        (errand.dateEncodingStrategy, foundation.dateEncodingStrategy) = (dates, dates)
        let more = next()
        let data = Self.data[more % Self.data.count]
        (errand.dataEncodingStrategy, foundation.dataEncodingStrategy) = (data, data)
        let keys = Self.keys[(more >> 2) % Self.keys.count]
        (errand.keyEncodingStrategy, foundation.keyEncodingStrategy) = (keys, keys)
        if more & 64 != 0 {
            let floats = JSONEncoder.NonConformingFloatEncodingStrategy.convertToString(
                positiveInfinity: "+\"", negativeInfinity: "-/", nan: "?")
            errand.nonConformingFloatEncodingStrategy = floats
            foundation.nonConformingFloatEncodingStrategy = floats
        }
        value = EncodedValue(depth: 4, next)
        encoder = errand
        let (value, encoder) = (value, encoder)
        self.errand = JSONOutcome { String(decoding: try encoder.encode(value), as: UTF8.self) }
        self.foundation = JSONOutcome { String(decoding: try foundation.encode(value), as: UTF8.self) }
    }

    private static let dates: [JSONEncoder.DateEncodingStrategy] = [
        .deferredToDate, .secondsSince1970, .millisecondsSince1970, .iso8601, .formatted(formatter),
        .custom { date, encoder in
            var array = encoder.unkeyedContainer()
            try array.encode("\(date.timeIntervalSince1970)")
        },
        .custom { _, _ in },
    ]

    private static let formatter = {
        let formatter = DateFormatter()
        formatter.locale = Locale(identifier: "en_US_POSIX")
        formatter.timeZone = TimeZone(secondsFromGMT: 0)
        formatter.dateFormat = "yyyy/MM/dd \"HH\""
        return formatter
    }()

    private static let data: [JSONEncoder.DataEncodingStrategy] = [
        .base64, .deferredToData,
        .custom { data, encoder in
            var object = encoder.container(keyedBy: JSONCodingKey.self)
            try object.encode(data.count, forKey: JSONCodingKey("byteCount"))
        },
        .custom { _, _ in throw CancellationError() },
    ]

    private static let keys: [JSONEncoder.KeyEncodingStrategy] = [
        .useDefaultKeys, .convertToSnakeCase,
        .custom { path in JSONCodingKey((path.last?.stringValue ?? "") + "'s") },
    ]

    var description: String { "\(value): \(errand), Foundation: \(foundation)" }

    /// Whether the results are equal, or a row of the guide's table explains the difference.
    var isExplained: Bool { isSame || deviation != nil }

    private var isSame: Bool {
        guard case (.value(let left), .value(let right)) = (errand, foundation) else { return errand == foundation }
        if encoder.outputFormatting.contains(.sortedKeys) { return left == right }
        // The order of the members may differ, but the lengths and the values are equal.
        return left.utf8.count == right.utf8.count && Self.value(left) != nil && Self.value(left) == Self.value(right)
    }

    private static func value(_ text: String) -> JSONValue? {
        try? FastJSONDecoder().decode(JSONValue.self, from: text)
    }

    /// The row of the guide's table that explains the difference; `nil` if none does.
    private var deviation: Deviation? {
        switch (errand, foundation) {
        case (_, .value(let text)):
            // Another value for the same key may have replaced it.
            let isInText = text.contains("NaN") || errand.failure != nil
            if isInText, value.contains(where: \.isDecimalNaN) { return .decimalNaN }
            return text == "{}" || text == "{\n\n}" ? emptyStrategy : nil
        case (.failure, .failure):
            // Foundation fails at a later value.
            if value.contains(where: \.isDecimalNaN) { return .decimalNaN }
            if case .useDefaultKeys = encoder.keyEncodingStrategy {
                return value.contains(where: \.hasNestedContainers) ? .pathInNestedContainer : nil
            }
            return .pathOfChangedKey
        case (.value, .failure): return nil
        }
    }

    private var emptyStrategy: Deviation? {
        guard case .custom = encoder.dateEncodingStrategy, case .leaf(let leaf) = value, leaf is Date else {
            return nil
        }
        return .emptyStrategy
    }
}
