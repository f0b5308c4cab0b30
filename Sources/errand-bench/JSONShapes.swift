import Errand

/// A kind of document that ``JSONLoad`` does not have. It is created here, and decoded or encoded by Errand or by
/// Foundation.
struct JSONShape: Sendable {
    /// How the keys of a document become those of a type.
    enum Keys {
        case plain, snakeCase, custom
    }

    let name: String
    private let body: @Sendable (JSONLoad, _ count: Int) throws -> Int

    /// Returns how many bytes were decoded or encoded.
    func run(_ load: JSONLoad, count: Int) throws -> Int { try body(load, count) }

    /// - Parameters:
    ///   - document: The document; by default, the value as Foundation encodes it.
    ///   - value: Returns the value to encode.
    init<Value: Codable & SendableMetatype>(
        _ name: String, keys: Keys = .plain, document: @autoclosure @escaping @Sendable () -> String? = nil,
        _ value: @escaping @Sendable () -> Value
    ) {
        self.name = name
        body = { load, count in
            let value = value()
            var (decoder, encoder) = (FastJSONDecoder(), FastJSONEncoder())
            let foundation = (decoder: JSONDecoder(), encoder: JSONEncoder())
            decoder.keyDecodingStrategy = keys.decoding
            encoder.keyEncodingStrategy = keys.encoding
            foundation.decoder.keyDecodingStrategy = keys.decoding
            foundation.encoder.keyEncodingStrategy = keys.encoding
            let document = try document().map { Data($0.utf8) } ?? foundation.encoder.encode(value)
            var bytes = 0
            for _ in 0..<count {
                switch (load.job, load.coder) {
                case (.decode, .errand): _ = try decoder.decode(Value.self, from: document)
                case (.decode, .foundation): _ = try foundation.decoder.decode(Value.self, from: document)
                case (.encode, .errand): bytes += try encoder.encode(value).count
                case (.encode, .foundation): bytes += try foundation.encoder.encode(value).count
                }
            }
            return load.job == .decode ? document.count * count : bytes
        }
    }
}

extension JSONShape.Keys {
    fileprivate var decoding: JSONDecoder.KeyDecodingStrategy {
        switch self {
        case .plain: .useDefaultKeys
        case .snakeCase: .convertFromSnakeCase
        case .custom: .custom { Key($0.last?.stringValue.lowercased() ?? "") }
        }
    }

    fileprivate var encoding: JSONEncoder.KeyEncodingStrategy {
        switch self {
        case .plain: .useDefaultKeys
        case .snakeCase: .convertToSnakeCase
        case .custom: .custom { Key($0.last?.stringValue.uppercased() ?? "") }
        }
    }

    private struct Key: CodingKey {
        let stringValue: String
        var intValue: Int? { nil }

        init(_ text: String) { stringValue = text }
        init?(stringValue: String) { self.init(stringValue) }
        init?(intValue: Int) { nil }
    }
}

extension JSONShape {
    static let all = [
        JSONShape("snake-case", keys: .snakeCase) { many { Reading($0) } },
        JSONShape("snake-case-missing", keys: .snakeCase, document: readings(["sensor_name", "unit_price"])) {
            many { Reading($0) }
        },
        JSONShape("snake-case-reordered", keys: .snakeCase, document: readings(Reading.names.reversed())) {
            many { Reading($0) }
        },
        JSONShape("custom-keys", keys: .custom) { many { Chain.ofDepth(20, $0) } },
        JSONShape("unsigned-integers") { (0..<20_000).map { UInt64.max - UInt64($0) } },
        JSONShape("small-integers") { (0..<50_000).map { $0 % 10 } },
        JSONShape("data") { many { Data(repeating: UInt8($0 % 256), count: 300) } },
        JSONShape("decimals") { (0..<20_000).map { Decimal($0) / 100 } },
        JSONShape("optionals") { many { Optionals($0) } },
        JSONShape("many-keys") {
            Dictionary(uniqueKeysWithValues: (0..<500).map { ("key number \($0)", $0) })
        },
        JSONShape("enumerations") { (0..<5_000).map { $0 % 2 == 0 ? Figure.circle(radius: $0) : .square(side: 1.5) } },
        JSONShape("long-strings") { many { String(repeating: "A sentence with an é. ", count: 40 + $0 % 10) } },
        JSONShape("classes") { many { Cat(lives: $0) } },
        JSONShape("deep") { Chain.ofDepth(200, 1) },
    ]

    private static func many<Value>(_ make: (Int) -> Value) -> [Value] { (0..<2_000).map(make) }

    /// Two thousand objects of ``Reading`` with these keys.
    private static func readings(_ names: [String]) -> String {
        let members = names.map { "\"\($0)\":\(Reading.texts[$0] ?? "null")" }.joined(separator: ",")
        return "[" + Array(repeating: "{\(members)}", count: 2_000).joined(separator: ",") + "]"
    }
}

// MARK: The types of the documents

private struct Reading: Codable {
    var sensorName: String?
    var unitPrice: Double?
    var createdAt: Int?
    var isActive: Bool?
    var batteryLevel: Int?
    var lastSeenAt: Int?
    var firmwareVersion: String?
    var locationCode: String?

    static let names = [
        "sensor_name", "unit_price", "created_at", "is_active", "battery_level", "last_seen_at", "firmware_version",
        "location_code",
    ]
    static let texts = [
        "sensor_name": "\"door\"", "unit_price": "1.25", "created_at": "1700000000", "is_active": "true",
        "battery_level": "80", "last_seen_at": "1700000001", "firmware_version": "\"1.2.3\"", "location_code": "\"A7\"",
    ]

    init(_ number: Int) {
        (sensorName, unitPrice, createdAt, isActive) = ("door", 1.25, number, true)
        (batteryLevel, lastSeenAt, firmwareVersion, locationCode) = (80, number, "1.2.3", "A7")
    }
}

/// Nested objects.
private struct Chain: Codable {
    var next: [Chain] = []
    var number: Int

    static func ofDepth(_ depth: Int, _ number: Int) -> Chain {
        (0..<depth / 2).reduce(Chain(number: number)) { chain, _ in Chain(next: [chain], number: number) }
    }
}

/// Thirty optional members, of which few have a value.
private struct Optionals: Codable {
    var a0, a1, a2, a3, a4, a5, a6, a7, a8, a9: Int?
    var b0, b1, b2, b3, b4, b5, b6, b7, b8, b9: String?
    var c0, c1, c2, c3, c4, c5, c6, c7, c8, c9: Double?

    init(_ number: Int) { (a3, b5, c7) = (number, "five", 7.5) }
}

private enum Figure: Codable {
    case circle(radius: Int)
    case square(side: Double)
}

private class Animal: Codable {
    var name = "Cat"
    var legs = 4

    init() {}
}

private final class Cat: Animal {
    private enum CodingKeys: String, CodingKey { case lives }

    let lives: Int

    init(lives: Int) {
        self.lives = lives
        super.init()
    }

    required init(from decoder: any Decoder) throws {
        lives = try decoder.container(keyedBy: CodingKeys.self).decode(Int.self, forKey: .lives)
        try super.init(from: decoder)
    }

    override func encode(to encoder: any Encoder) throws {
        try super.encode(to: encoder)
        var container = encoder.container(keyedBy: CodingKeys.self)
        try container.encode(lives, forKey: .lives)
    }
}
