import Foundation
import Testing

@testable import ErrandJSON

/// The errors of `FastJSONDecoder` have the location, the expected type and the kind of the found value, but not the
/// value.
struct `An error of the JSON decoder` {
    private func error<Value: Decodable>(
        _ document: String, as type: Value.Type, _ change: (inout FastJSONDecoder) -> Void = { _ in }
    ) throws -> DecodingError {
        var decoder = FastJSONDecoder()
        change(&decoder)
        return try #require(throws: DecodingError.self) { try decoder.decode(type, from: document) }
    }

    private enum Mode: String, Decodable { case on, off }
    private enum Level: Int, Decodable { case low = 1 }
    private struct Settings: Decodable { var modes: [Mode] }

    @Test func `the error for an unknown raw value has its location but not the value`() throws {
        let error = try error("{\"modes\":\n [\"on\", \"hunter2\"]}", as: Settings.self)
        #expect(error.jsonLocation?.description == "line 2, column 9")
        guard case .dataCorrupted(let context) = error else {
            Issue.record("\(error)")
            return
        }
        #expect(context.codingPath.map(\.stringValue) == ["modes", "Index 1"])
        #expect(context.debugDescription == "a string is not a raw value of Mode, at line 2, column 9")
        #expect(!"\(error)".contains("hunter2"))
        let number = try self.error("[1, 77]", as: [Level].self)
        #expect(number.jsonLocation?.column == 5)
        #expect(!"\(number)".contains("77"))
    }

    @Test func `the error for a key that is not an integer has its location`() throws {
        let error = try error(#"{"a":{"1":true,"x":false}}"#, as: [String: [Int: Bool]].self)
        #expect(error.jsonLocation?.column == 6)
        #expect(error.jsonLocation?.found == nil)
    }

    private enum Shape: Decodable {
        case circle(radius: Double)
        case square(side: Double)
    }

    @Test func `the error for two enumeration cases in one object has its location`() throws {
        let error = try error(#"[{"circle":{"radius":1},"square":{"side":2}}]"#, as: [Shape].self)
        #expect(error.jsonLocation?.column == 2)
    }

    @Test func `an error thrown by a closure of a strategy or by a configured type has the location of its value`()
        throws
    {
        @Sendable func refuse<Value>(_ decoder: any Decoder) throws -> Value {
            throw DecodingError.dataCorrupted(
                .init(codingPath: decoder.codingPath, debugDescription: "not this one"))
        }
        struct Configured: DecodableWithConfiguration {
            init(from decoder: any Decoder, configuration: Int) throws {
                throw DecodingError.dataCorrupted(
                    .init(codingPath: decoder.codingPath, debugDescription: "not \(configuration)"))
            }
        }
        let date = try error("{\"at\":\n 1}", as: [String: Date].self) { $0.dateDecodingStrategy = .custom(refuse) }
        #expect(date.jsonLocation?.description == "line 2, column 2")
        let data = try error("[1,\n 2]", as: [Data].self) { $0.dataDecodingStrategy = .custom(refuse) }
        #expect(data.jsonLocation?.description == "line 1, column 2")
        let configured = #expect(throws: DecodingError.self) {
            try FastJSONDecoder().decode(Configured.self, from: Data("\n 1".utf8), configuration: 1)
        }
        #expect(configured?.jsonLocation?.description == "line 2, column 2")
    }

    @Test func `an error thrown by a type has the location of its value`() throws {
        struct Even: Decodable {
            init(from decoder: any Decoder) throws {
                let container = try decoder.singleValueContainer()
                guard try container.decode(Int.self) % 2 == 0 else {
                    throw DecodingError.dataCorruptedError(in: container, debugDescription: "an odd number")
                }
            }
        }
        let error = try error("[2, 3]", as: [Even].self)
        #expect(error.jsonLocation?.column == 5)
        guard case .dataCorrupted(let context) = error else {
            Issue.record("\(error)")
            return
        }
        #expect(context.debugDescription == "an odd number, at line 1, column 5")
    }

    @Test func `the error for a missing superclass member has the location of the object`() throws {
        class Animal: Decodable { var name: String }
        final class Cat: Animal {
            required init(from decoder: any Decoder) throws {
                try super.init(from: decoder.container(keyedBy: JSONCodingKey.self).superDecoder())
            }
        }
        let error = try error("\n {}", as: Cat.self)
        #expect(error.jsonLocation?.description == "line 2, column 2")
        guard case .valueNotFound(_, let context) = error else {
            Issue.record("\(error)")
            return
        }
        #expect(context.codingPath.map(\.stringValue) == ["super"])
        #expect(context.debugDescription.hasSuffix("found no member, at line 2, column 2"))
    }

    @Test(arguments: [("[1]", "a number"), ("[null]", "null"), ("[true]", "a boolean"), ("[[]]", "an array")])
    func `the error for an invalid ISO 8601 date names the type of the value`(_ document: String, _ found: String)
        throws
    {
        let error = try error(document, as: [Date].self) { $0.dateDecodingStrategy = .iso8601 }
        #expect(error.jsonLocation?.found == found)
        switch error {
        case .typeMismatch(let type, _): #expect(type == String.self && found != "null")
        case .valueNotFound(let type, _): #expect(type == String.self && found == "null")
        default: Issue.record("\(error)")
        }
    }

    /// Three nested objects and arrays, with few and with many elements.
    @Test(arguments: [1, 40]) func `an error has the path through containers of any width`(_ width: Int) throws {
        struct Nested: Decodable {
            init(from decoder: any Decoder) throws {
                let container = try decoder.container(keyedBy: JSONCodingKey.self)
                let key = try #require(container.allKeys.last)
                if key.stringValue == "end" { _ = try container.decode(Int.self, forKey: key) }
                var elements = try container.nestedUnkeyedContainer(forKey: key)
                while !elements.isAtEnd {
                    if try !elements.decodeNil() { _ = try elements.decode(Nested.self) }
                }
            }
        }
        let others = (0..<width).map { "\"k\($0)\":0," }.joined()
        let elements = String(repeating: "null,", count: width)
        var document = "{\"end\":\"x\"}"
        for _ in 0..<3 { document = "{\(others)\"next\":[\(elements)\(document)]}" }
        guard case .typeMismatch(_, let context) = try error(document, as: Nested.self) else {
            Issue.record("not a mismatch of types")
            return
        }
        let step = ["next", "Index \(width)"]
        #expect(context.codingPath.map(\.stringValue) == step + step + step + ["end"])
    }

    /// The sender chooses the number of elements, so finding a path must not search from the first element each time.
    @Test func `a kept decoder finds the path of an error in a few steps`() throws {
        struct Kept: Decodable {
            let decoder: any Decoder
            init(from decoder: any Decoder) throws { self.decoder = decoder }
        }
        let count = 5_000
        let kept = try FastJSONDecoder().decode(
            [Kept].self, from: "[\(Array(repeating: "\"x\"", count: count).joined(separator: ","))]")
        for (number, value) in kept.enumerated() {
            let error = try #require(throws: DecodingError.self) { try Int(from: value.decoder) }
            guard case .typeMismatch(_, let context) = error else {
                Issue.record("\(error)")
                return
            }
            #expect(context.codingPath.map(\.intValue) == [number])
        }
        // The positions of all elements were searched once.
        let document = try #require(kept[0].decoder as? TapeDecoder).document
        #expect(document.children.count == 1)
        #expect(document.children[0]?.count == count)
    }
}
