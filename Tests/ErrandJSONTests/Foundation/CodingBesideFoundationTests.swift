import Foundation
import Testing

@testable import ErrandJSON

/// Less common ways to encode and decode a value. Each has the same result as with Foundation's coder.
struct `Coding beside Foundation's` {
    private enum Color: String, Codable, CodingKeyRepresentable { case darkRed, blue }

    /// A key with a number that differs from its text.
    private struct Slot: Codable, Hashable, CodingKeyRepresentable {
        var number: Int
        var codingKey: any CodingKey { JSONCodingKey("slotNumber\(number)") }

        init(number: Int) { self.number = number }

        init?<Key: CodingKey>(codingKey: Key) {
            guard let number = Int(codingKey.stringValue.drop { !$0.isNumber }) else { return nil }
            self.number = number
        }
    }

    @Test(arguments: [false, true]) func `types represented by coding keys have the same keys as with Foundation`(
        _ isSnakeCase: Bool
    )
        throws
    {
        let options = Options { encoder, foundation in
            guard isSnakeCase else { return }
            encoder.keyEncodingStrategy = .convertToSnakeCase
            foundation.keyEncodingStrategy = .convertToSnakeCase
        }
        let colors = try options.encode([Color.darkRed: 1, .blue: 2])
        #expect(colors == (isSnakeCase ? #"{"blue":2,"dark_red":1}"# : #"{"blue":2,"darkRed":1}"#))
        let slots = try options.encode([Slot(number: 7): [Color.darkRed: 1]])
        #expect(
            slots == (isSnakeCase ? #"{"slot_number7":{"dark_red":1}}"# : #"{"slotNumber7":{"darkRed":1}}"#))
        var decoder = FastJSONDecoder()
        let foundation = JSONDecoder()
        if isSnakeCase {
            decoder.keyDecodingStrategy = .convertFromSnakeCase
            foundation.keyDecodingStrategy = .convertFromSnakeCase
        }
        let comparison = JSONComparison(Data(colors.utf8), as: [Color: Int].self, decoder, foundation)
        #expect(comparison.errand == .value([.darkRed: 1, .blue: 2]) && comparison.deviation == nil, "\(comparison)")
        let nested = JSONComparison(Data(slots.utf8), as: [Slot: [Color: Int]].self, decoder, foundation)
        #expect(nested.errand == .value([Slot(number: 7): [.darkRed: 1]]) && nested.deviation == nil, "\(nested)")
        let invalid = JSONComparison(Data(#"{"green":1}"#.utf8), as: [Color: Int].self)
        #expect(invalid.errand == invalid.foundation && invalid.errand.failure != nil, "\(invalid)")
    }

    // MARK: Configurations

    /// A price, in the currency of the configuration.
    private struct Price: CodableWithConfiguration, Equatable {
        var amount: Int

        init(amount: Int) { self.amount = amount }

        init(from decoder: any Decoder, configuration: String) throws {
            amount = try decoder.container(keyedBy: JSONCodingKey.self).decode(
                Int.self, forKey: JSONCodingKey(configuration))
        }

        func encode(to encoder: any Encoder, configuration: String) throws {
            var container = encoder.container(keyedBy: JSONCodingKey.self)
            try container.encode(amount, forKey: JSONCodingKey(configuration))
        }
    }

    private enum InEuros: EncodingConfigurationProviding, DecodingConfigurationProviding {
        static let encodingConfiguration = "EUR"
        static let decodingConfiguration = "EUR"
    }

    private struct Order: Codable, Equatable {
        @CodableConfiguration(from: InEuros.self) var total = Price(amount: 3)
        var parts = Parts()
    }

    /// Prices in the containers of the standard library.
    private struct Parts: Codable, Equatable {
        var price = Price(amount: 1)
        var missing: Price?
        var prices = [Price(amount: 1), Price(amount: 2)]

        init() {}

        init(from decoder: any Decoder) throws {
            let object = try decoder.container(keyedBy: JSONCodingKey.self)
            price = try object.decode(Price.self, forKey: JSONCodingKey("price"), configuration: "NOK")
            missing = try object.decodeIfPresent(Price.self, forKey: JSONCodingKey("missing"), configuration: "NOK")
            var array = try object.nestedUnkeyedContainer(forKey: JSONCodingKey("prices"))
            prices = []
            while !array.isAtEnd { prices.append(try array.decode(Price.self, configuration: "SEK")) }
        }

        func encode(to encoder: any Encoder) throws {
            var object = encoder.container(keyedBy: JSONCodingKey.self)
            try object.encode(price, forKey: JSONCodingKey("price"), configuration: "NOK")
            try object.encodeIfPresent(missing, forKey: JSONCodingKey("missing"), configuration: "NOK")
            var array = object.nestedUnkeyedContainer(forKey: JSONCodingKey("prices"))
            for price in prices { try array.encode(price, configuration: "SEK") }
        }
    }

    @Test func `configurations are used at the top level and in keyed and unkeyed containers`() throws {
        let price = Price(amount: 5)
        let encoder = FastJSONEncoder()
        let decoder = FastJSONDecoder()
        for data in [
            try encoder.encode(price, configuration: "EUR"), try encoder.encode(price, configuration: InEuros.self),
            try JSONEncoder().encode(price, configuration: "EUR"),
        ] {
            #expect(String(decoding: data, as: UTF8.self) == #"{"EUR":5}"#)
            #expect(try decoder.decode(Price.self, from: data, configuration: "EUR") == price)
            #expect(try decoder.decode(Price.self, from: data, configuration: InEuros.self) == price)
            let error = #expect(throws: DecodingError.self) {
                try decoder.decode(Price.self, from: data, configuration: "NOK")
            }
            #expect(error?.jsonLocation?.byteOffset == 0)
        }
        let text = try Options().encode(Order())
        #expect(text == #"{"parts":{"price":{"NOK":1},"prices":[{"SEK":1},{"SEK":2}]},"total":{"EUR":3}}"#)
        #expect(try decoder.decode(Order.self, from: text) == Order())
        let invalid = JSONComparison(
            Data(text.replacing("SEK\":2", with: "SEK\":null").utf8), as: Order.self)
        #expect(invalid.errand == invalid.foundation)
        #expect(invalid.errand.failure?.path == ["parts", "prices", "1", "SEK"])
    }

    // MARK: Dates and data

    @Test func `formatted dates and custom data are encoded as by Foundation`() throws {
        let formatter = DateFormatter()
        formatter.locale = Locale(identifier: "en_US_POSIX")
        formatter.timeZone = TimeZone(secondsFromGMT: 0)
        formatter.dateFormat = "yyyy/MM/dd \"HH\""
        let options = Options { encoder, foundation in
            encoder.dateEncodingStrategy = .formatted(formatter)
            foundation.dateEncodingStrategy = .formatted(formatter)
            let data = JSONEncoder.DataEncodingStrategy.custom { data, encoder in
                #expect(encoder.codingPath.map(\.stringValue).last == (data.isEmpty ? "empty" : "Index 0"))
                var container = encoder.singleValueContainer()
                try container.encode(data.map { "\($0)" })
            }
            (encoder.dataEncodingStrategy, foundation.dataEncodingStrategy) = (data, data)
        }
        let date = Date(timeIntervalSince1970: 1_700_000_000)
        #expect(try options.encode(["at": [date]]) == #"{"at":["2023\/11\/14 \"22\""]}"#)
        #expect(try options.encode(date) == #""2023\/11\/14 \"22\"""#)
        #expect(try options.encode(["empty": Data()]) == #"{"empty":[]}"#)
        #expect(try options.encode([Data([1, 255])]) == #"[["1","255"]]"#)
        var decoder = FastJSONDecoder()
        decoder.dateDecodingStrategy = .formatted(formatter)
        decoder.dataDecodingStrategy = .custom { Data(try [String](from: $0).compactMap { UInt8($0) }) }
        #expect(
            try decoder.decode([Date].self, from: #"["2023/11/14 \"22\""]"#)
                == [Date(timeIntervalSince1970: 1_699_999_200)])
        #expect(try decoder.decode([Data].self, from: #"[["1","255"],[]]"#) == [Data([1, 255]), Data()])
        let error = #expect(throws: DecodingError.self) { try decoder.decode([Data].self, from: "[[],7]") }
        #expect(error?.path == "1")
    }

    @Test(arguments: 0..<40)
    func `every combination of strategies encodes the same values as Foundation`(_ seed: UInt64) {
        var random = RandomJSON(seed: 1_000 + seed)
        for _ in 0..<50 {
            let comparison = EncodingComparison { random.number(0..<256) }
            #expect(comparison.isExplained, "\(comparison)")
        }
    }
}

/// Both encoders with the same options.
private struct Options {
    private var encoder = FastJSONEncoder()
    private let foundation = JSONEncoder()

    init(_ change: (inout FastJSONEncoder, JSONEncoder) -> Void = { _, _ in }) {
        encoder.outputFormatting = .sortedKeys
        foundation.outputFormatting = .sortedKeys
        change(&encoder, foundation)
    }

    /// Encodes a value with both encoders, which must return the same text.
    func encode(_ value: some Encodable) throws -> String {
        let text = String(decoding: try encoder.encode(value), as: UTF8.self)
        #expect(String(decoding: try foundation.encode(value), as: UTF8.self) == text)
        return text
    }
}
