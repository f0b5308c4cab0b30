import ErrandJSON
import Foundation
import TestTools
import Testing

@Suite(.hangGuard) struct `Decoding with FastJSONDecoder` {
    private func decode<Value: Decodable>(
        _ document: String, as type: Value.Type = Value.self, _ set: (inout FastJSONDecoder) -> Void = { _ in }
    ) throws -> Value {
        var decoder = FastJSONDecoder()
        set(&decoder)
        return try decoder.decode(type, from: Data(document.utf8))
    }

    private func failure<Value: Decodable>(_ document: String, as type: Value.Type) -> DecodingError? {
        do {
            _ = try decode(document, as: type)
            return nil
        } catch {
            return error as? DecodingError
        }
    }

    struct Point: Codable, Equatable {
        var x: Int
        var y: Int?
    }

    struct Line: Codable, Equatable { var points: [Point], name: String }

    // MARK: Errors

    @Test(arguments: [
        (#"{"points":[{"x":1},{"x":"secret"}],"name":"a"}"#, "points.1.x", "expected Int, found a string", 24),
        (#"{"points":[{"x":null}],"name":"a"}"#, "points.0.x", "expected Int, found null", 16),
        (#"{"points":[{"y":1}],"name":"a"}"#, "points.0.x", "an object does not have the key", 11),
        (#"{"points":{},"name":"a"}"#, "points", "expected an array, found an object", 10),
        (#"{"points":[[]],"name":"a"}"#, "points.0", "expected an object, found an array", 11),
        (#"{"points":[{"x":1.5}],"name":"a"}"#, "points.0.x", "a number does not fit in Int", 16),
        (#"{"points":[],"name":true}"#, "name", "expected String, found a boolean", 20),
        (#"[]"#, "", "expected an object, found an array", 0),
    ]) func `a decoding error has the path, location and types but not the value`(
        _ document: String, _ path: String, _ text: String, _ offset: Int
    ) throws {
        let error = try #require(failure(document, as: Line.self))
        #expect(error.path == path)
        #expect(error.text == "\(text), at line 1, column \(offset + 1)")
        #expect(error.jsonLocation?.byteOffset == offset)
        #expect(!"\(error)".contains("secret"))
    }

    @Test func `a decoding error has the path in arrays of standard types`() throws {
        #expect(failure("[1,2,\"a\"]", as: [Int].self)?.path == "2")
        #expect(failure("[[1.5],[1,null]]", as: [[Double]].self)?.path == "1.1")
        #expect(failure(#"{"a":["x",3]}"#, as: [String: [String]].self)?.path == "a.1")
    }

    /// Lines are counted only for the last error. Here, each element first fails as one type and is then decoded as
    /// another.
    @Test func `many decoding errors that a type catches take linear time`() throws {
        struct Either: Decodable {
            init(from decoder: any Decoder) throws {
                if (try? Int(from: decoder)) == nil { _ = try String(from: decoder) }
            }
        }
        let document = "[" + Array(repeating: "\"text\"", count: 20_000).joined(separator: ",\n") + "]"
        #expect(try decode(document, as: [Either].self).count == 20_000)
    }

    @Test func `decoding continues after an element that fails`() throws {
        struct Lossy: Decodable {
            var points: [Point] = []
            var paths: [String] = []
            private struct Anything: Decodable {}

            init(from decoder: any Decoder) throws {
                var container = try decoder.unkeyedContainer()
                while !container.isAtEnd {
                    do {
                        points.append(try container.decode(Point.self))
                    } catch let error as DecodingError {
                        paths.append(error.path)
                        _ = try container.decode(Anything.self)
                    }
                }
                #expect(container.currentIndex == container.count)
                #expect(throws: DecodingError.self) { try container.decode(Int.self) }
            }
        }
        let lossy = try decode(#"[{"x":1},{"x":"a"},{"y":2},{"x":3,"y":4}]"#, as: Lossy.self)
        #expect(lossy.points == [Point(x: 1), Point(x: 3, y: 4)])
        #expect(lossy.paths == ["1.x", "2.x"])
    }

    // MARK: Keys

    @Test func `keys are found in any order, and unknown keys are skipped`() throws {
        #expect(try decode(#"{"y":2,"z":[1,{"x":9}],"x":1}"#, as: Point.self) == Point(x: 1, y: 2))
        #expect(try decode(#"{"\u0078":1}"#, as: Point.self) == Point(x: 1))
        #expect(try decode(#"{"x":1,"y":null}"#, as: Point.self) == Point(x: 1))
    }

    @Test(arguments: [2, 31, 32, 33, 500]) func `the first of two equal keys is decoded`(
        _ others: Int
    ) throws {
        let filler = (0..<others).map { "\"k\($0)\":\($0)" }.joined(separator: ",")
        for document in [
            #"{"x":1,\#(filler),"y":2,"x":3}"#, #"{"y":2,"x":1,\#(filler),"x":3}"#,
            #"{\#(filler),"\u0078":1,"x":3,"y":2}"#,
        ] {
            #expect(try decode(document, as: Point.self) == Point(x: 1, y: 2))
            #expect(try decode(document, as: [String: Int].self)["x"] == 1)
            #expect(try decode(document, as: JSONValue.self)["x"] == 1)
        }
    }

    @Test func `keys of wide objects are looked up in any order`() throws {
        let members = (0..<500).map { "\"k\($0)\":\($0)" }
        struct Backwards: Decodable {
            init(from decoder: any Decoder) throws {
                let container = try decoder.container(keyedBy: AnyKey.self)
                for number in (0..<500).reversed() {
                    #expect(try container.decode(Int.self, forKey: AnyKey("k\(number)")) == number)
                }
                #expect(!container.contains(AnyKey("k500")))
                #expect(container.allKeys.map(\.stringValue) == (0..<500).map { "k\($0)" })
            }
        }
        _ = try decode("{" + members.joined(separator: ",") + "}", as: Backwards.self)
    }

    @Test func `a key can be looked up several times`() throws {
        struct Curious: Decodable {
            init(from decoder: any Decoder) throws {
                let container = try decoder.container(keyedBy: AnyKey.self)
                #expect(container.contains(AnyKey("a")))
                #expect(try !container.decodeNil(forKey: AnyKey("a")))
                #expect(throws: DecodingError.self) { try container.decode(Int.self, forKey: AnyKey("a")) }
                #expect(try container.decode(String.self, forKey: AnyKey("a")) == "1")
                #expect(try container.decode(String.self, forKey: AnyKey("a")) == "1")
                #expect(try container.decodeNil(forKey: AnyKey("b")))
                #expect(throws: DecodingError.self) { try container.decodeNil(forKey: AnyKey("c")) }
                #expect(try container.decodeIfPresent(Int.self, forKey: AnyKey("c")) == nil)
            }
        }
        _ = try decode(#"{"a":"1","b":null}"#, as: Curious.self)
    }

    @Test func `snake case keys are converted as Foundation does, but not dictionary keys`() throws {
        let document =
            #"{"_a_b":1,"a__b":2,"A_B":3,"_":4,"a_":5,"ab_cd_ef":6,"aB_cD":7,"URL_x":8,"a1_2b":9,"__":1,"_x":1,"ÄB_éc":1,"ABC":4}"#
        struct Keys: Decodable {
            var names: Set<String>
            init(from decoder: any Decoder) throws {
                names = Set(try decoder.container(keyedBy: AnyKey.self).allKeys.map(\.stringValue))
            }
        }
        let foundation = JSONDecoder()
        foundation.keyDecodingStrategy = .convertFromSnakeCase
        let expected = try foundation.decode(Keys.self, from: Data(document.utf8)).names
        #expect(
            try decode(document, as: Keys.self) { $0.keyDecodingStrategy = .convertFromSnakeCase }.names == expected)
        struct Named: Decodable { var firstName: String, counts: [String: Int] }
        let named = try decode(#"{"counts":{"per_day":1},"first_name":"Ingrid"}"#, as: Named.self) {
            $0.keyDecodingStrategy = .convertFromSnakeCase
        }
        #expect(named.firstName == "Ingrid" && named.counts == ["per_day": 1])
    }

    @Test func `keys are converted by a custom function of their path`() throws {
        let point = try decode(#"{"X":1,"Y":2}"#, as: Point.self) {
            $0.keyDecodingStrategy = .custom { path in AnyKey(path[path.count - 1].stringValue.lowercased()) }
        }
        #expect(point == Point(x: 1, y: 2))
    }

    // MARK: Types

    @Test func `fragments, optionals and empty containers are decoded`() throws {
        #expect(try decode("1", as: Int.self) == 1)
        #expect(try decode("null", as: Int?.self) == nil)
        #expect(try decode("[null,1]", as: [Int?].self) == [nil, 1])
        #expect(try decode("[]", as: [Int].self) == [])
        #expect(try decode("{}", as: [String: Int].self) == [:])
        #expect(try decode(#"{"1":"a","2":"b"}"#, as: [Int: String].self) == [1: "a", 2: "b"])
    }

    enum Shape: Codable, Equatable {
        case circle(radius: Double)
        case square(Double)
        case nothing
    }

    @Test func `enumerations with associated values are decoded`() throws {
        let shapes = try decode(#"[{"circle":{"radius":1.5}},{"square":{"_0":2}},{"nothing":{}}]"#, as: [Shape].self)
        #expect(shapes == [.circle(radius: 1.5), .square(2), .nothing])
        #expect(throws: DecodingError.self) { try decode(#"{"circle":{},"square":{}}"#, as: Shape.self) }
    }

    @Test func `class hierarchies are decoded, from one object or with a super key`() throws {
        class Animal: Decodable { let name: String }
        final class Dog: Animal {
            let tricks: Int
            private enum CodingKeys: String, CodingKey { case tricks }
            required init(from decoder: any Decoder) throws {
                let container = try decoder.container(keyedBy: CodingKeys.self)
                tricks = try container.decode(Int.self, forKey: .tricks)
                try super.init(from: decoder)
            }
        }
        final class Cat: Animal {
            required init(from decoder: any Decoder) throws {
                try super.init(from: decoder.container(keyedBy: AnyKey.self).superDecoder())
            }
        }
        #expect(try decode(#"{"name":"Rex","tricks":3}"#, as: Dog.self).name == "Rex")
        #expect(try decode(#"{"super":{"name":"Tom"}}"#, as: Cat.self).name == "Tom")
        #expect(failure("{}", as: Cat.self)?.path == "super")
    }

    @Test func `nested containers are decoded`() throws {
        struct Flat: Decodable {
            var values: [Int] = []
            init(from decoder: any Decoder) throws {
                let root = try decoder.container(keyedBy: AnyKey.self)
                let inner = try root.nestedContainer(keyedBy: AnyKey.self, forKey: AnyKey("a"))
                var list = try inner.nestedUnkeyedContainer(forKey: AnyKey("b"))
                values.append(try list.decode(Int.self))
                var nested = try list.nestedUnkeyedContainer()
                values.append(try nested.decode(Int.self))
                let last = try list.nestedContainer(keyedBy: AnyKey.self)
                values.append(try last.decode(Int.self, forKey: AnyKey("c")))
                #expect(last.codingPath.map(\.stringValue) == ["a", "b", "Index 2"])
                #expect(list.isAtEnd && nested.codingPath.count == 3)
                do {
                    _ = try last.decode(String.self, forKey: AnyKey("c"))
                } catch let error as DecodingError {
                    #expect(error.path == "a.b.2.c")
                }
            }
        }
        #expect(try decode(#"{"a":{"b":[1,[2],{"c":3}]}}"#, as: Flat.self).values == [1, 2, 3])
    }

    @Test func `dates, data and nonconforming numbers are decoded by their strategies`() throws {
        let date = Date(timeIntervalSince1970: 1_700_000_000)
        #expect(try decode("1700000000", as: Date.self) { $0.dateDecodingStrategy = .secondsSince1970 } == date)
        #expect(try decode("1700000000000", as: Date.self) { $0.dateDecodingStrategy = .millisecondsSince1970 } == date)
        #expect(try decode("\"2023-11-14T22:13:20Z\"", as: Date.self) { $0.dateDecodingStrategy = .iso8601 } == date)
        #expect(throws: DecodingError.self) {
            try decode("\"yesterday\"", as: Date.self) { $0.dateDecodingStrategy = .iso8601 }
        }
        let formatter = DateFormatter()
        formatter.locale = Locale(identifier: "en_US_POSIX")
        formatter.timeZone = TimeZone(identifier: "UTC")
        formatter.dateFormat = "yyyy/MM/dd"
        let day = try decode("\"2023/11/14\"", as: Date.self) { $0.dateDecodingStrategy = .formatted(formatter) }
        #expect(day == Date(timeIntervalSince1970: 1_699_920_000))
        let custom = try decode(#"[{"at":5}]"#, as: [[String: Date]].self) {
            $0.dateDecodingStrategy = .custom { Date(timeIntervalSince1970: try Double(from: $0) * 60) }
        }
        #expect(custom == [["at": Date(timeIntervalSince1970: 300)]])
        #expect(try decode("[1,2]", as: Data.self) { $0.dataDecodingStrategy = .deferredToData } == Data([1, 2]))
        #expect(try decode("\"aGk=\"", as: Data.self) == Data("hi".utf8))
        let strategy = JSONDecoder.NonConformingFloatDecodingStrategy.convertFromString(
            positiveInfinity: "inf", negativeInfinity: "-inf", nan: "nan")
        let numbers = try decode(#"["inf","-inf",1,"nan"]"#, as: [Double].self) {
            $0.nonConformingFloatDecodingStrategy = strategy
        }
        #expect(numbers.prefix(3) == [.infinity, -.infinity, 1] && numbers[3].isNaN)
        #expect(try decode("\"inf\"", as: Float.self) { $0.nonConformingFloatDecodingStrategy = strategy } == .infinity)
        #expect(throws: DecodingError.self) { try decode("\"inf\"", as: Double.self) }
        let escaped = try decode(#"["n\/a","\u0069nf"]"#, as: [Double].self) {
            $0.nonConformingFloatDecodingStrategy = .convertFromString(
                positiveInfinity: "inf", negativeInfinity: "-inf", nan: "n/a")
        }
        #expect(escaped[0].isNaN && escaped[1] == .infinity)
    }

    @Test func `user information and configurations are passed to decoded types`() throws {
        struct Scaled: Decodable {
            var value: Int
            init(from decoder: any Decoder) throws {
                let factor = CodingUserInfoKey(rawValue: "factor").flatMap { decoder.userInfo[$0] } as? Int ?? 1
                value = try Int(from: decoder) * factor
            }
        }
        let key = try #require(CodingUserInfoKey(rawValue: "factor"))
        #expect(try decode("[2]", as: [Scaled].self) { $0.userInfo[key] = 21 }[0].value == 42)
        struct Configured: DecodableWithConfiguration {
            var value: Int
            init(from decoder: any Decoder, configuration: Int) throws {
                value = try Int(from: decoder) + configuration
            }
        }
        #expect(try FastJSONDecoder().decode(Configured.self, from: Data("1".utf8), configuration: 41).value == 42)
    }

    @Test func `a type can keep its decoder and use it later`() throws {
        struct Late: Decodable {
            let decoder: any Decoder
            init(from decoder: any Decoder) throws { self.decoder = decoder }
        }
        var late: [Late] = []
        do {
            var document = Data(#"[{"x":1},{"x":2,"y":3}]"#.utf8)
            late = try FastJSONDecoder().decode([Late].self, from: document)
            document.resetBytes(in: 0..<document.count)
        }
        #expect(try Point(from: late[1].decoder) == Point(x: 2, y: 3))
        #expect(late[1].decoder.codingPath.map(\.intValue) == [1])
    }

    @Test func `a type can keep a container of a wide object`() throws {
        struct Late: Decodable {
            let container: KeyedDecodingContainer<AnyKey>
            init(from decoder: any Decoder) throws {
                container = try decoder.container(keyedBy: AnyKey.self)
                #expect(!container.contains(AnyKey("missing")))
            }
        }
        let members = (0..<40).map { "\"key\($0)\":\($0)" }.joined(separator: ",")
        let late = try decode("{\(members)}", as: Late.self)
        #expect(try late.container.decode(Int.self, forKey: AnyKey("key39")) == 39)
        #expect(try late.container.decode(Int.self, forKey: AnyKey("key7")) == 7)
    }

    @Test func `custom keys of deep documents and equal keys of wide ones take linear time`() throws {
        final class Deep: Decodable { let child: [Deep]? }
        let depth = 200
        let document = String(repeating: #"{"child":["#, count: depth) + String(repeating: "]}", count: depth)
        _ = try decode(document, as: Deep.self) {
            $0.keyDecodingStrategy = .custom { path in AnyKey(path[path.count - 1].stringValue.lowercased()) }
        }
        struct Wide: Decodable {
            init(from decoder: any Decoder) throws {
                let container = try decoder.container(keyedBy: AnyKey.self)
                for key in container.allKeys { #expect((try? container.decode(String.self, forKey: key)) == nil) }
            }
        }
        let members = (0..<20_000).map { "\"k_\($0)\":\($0)" } + ["\"k_0\":0"]
        let wide = "{\(members.joined(separator: ","))}"
        _ = try decode(wide, as: Wide.self)
        _ = try decode(wide, as: Wide.self) { $0.keyDecodingStrategy = .convertFromSnakeCase }
    }

    @Test func `keys are converted after decoding the object as a dictionary failed`() throws {
        struct Named: Decodable { var firstName: String }
        struct Either: Decodable {
            var name: String
            init(from decoder: any Decoder) throws {
                let container = try decoder.singleValueContainer()
                #expect((try? container.decode([String: Int].self)) == nil)
                name = try container.decode(Named.self).firstName
            }
        }
        let either = try decode(#"{"first_name":"Ada"}"#, as: Either.self) {
            $0.keyDecodingStrategy = .convertFromSnakeCase
        }
        #expect(either.name == "Ada")
    }

    @Test func `the path of an error is correct after an array failed to decode`() throws {
        struct Trying: Decodable {
            init(from decoder: any Decoder) throws {
                let container = try decoder.singleValueContainer()
                for _ in 0..<20 { #expect((try? container.decode([Int].self)) == nil) }
                _ = try container.decode([Point].self)
            }
        }
        let error = failure(#"{"a":[{"x":"b"}]}"#, as: [String: Trying].self)
        #expect(error?.path == "a.0.x")
        // The last key is that of the type, which an error may show, and not that of the document.
        guard case .typeMismatch(_, let context) = error else { return }
        #expect(context.codingPath.last.map { "\(type(of: $0))" } == "CodingKeys")
    }

    /// A long string that is wrongly read as ASCII would have its bytes as characters.
    @Test(
        arguments: ["é東🚢", #"\u00e9\u6771\ud83d\udea2"#, #"\n\u00e9東🚢"#, #"é\n東🚢"#], ["", "and thirty more characters"])
    func `strings with characters outside of ASCII are decoded`(_ text: String, _ rest: String) throws {
        let expected = (text.contains("\\n") ? (text.hasPrefix("é") ? "é\n東🚢" : "\né東🚢") : "é東🚢") + rest
        let found = try decode("\"\(text)\(rest)\"", as: String.self)
        #expect(found == expected)
        #expect(Array(found) == Array(expected))
        #expect(found.utf16.count == expected.utf16.count)
        #expect(Array(found.unicodeScalars) == Array(expected.unicodeScalars))
    }

    @Test func `long strings with every kind of escape are decoded`() throws {
        for length in [1, 7, 8, 9, 15, 16, 17, 100, 10_000] {
            let text = String(repeating: "aé\"\\\n東🚢/", count: length)
            let encoded = try JSONEncoder().encode([text, String(repeating: "x", count: length)])
            #expect(try FastJSONDecoder().decode([String].self, from: encoded)[0] == text)
            #expect(try FastJSONDecoder().decode([String].self, from: FastJSONEncoder().encode([text])) == [text])
        }
    }
}

struct AnyKey: CodingKey {
    var stringValue: String
    var intValue: Int? { nil }
    init(_ name: String) { stringValue = name }
    init?(stringValue: String) { self.init(stringValue) }
    init?(intValue: Int) { nil }
}
