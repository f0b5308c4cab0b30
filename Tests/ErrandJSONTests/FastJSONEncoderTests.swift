import ErrandJSON
import Foundation
import Testing

struct `Encoding with FastJSONEncoder` {
    private func encode(_ value: some Encodable, _ set: (inout FastJSONEncoder) -> Void = { _ in }) throws -> String {
        var encoder = FastJSONEncoder()
        set(&encoder)
        return String(decoding: try encoder.encode(value), as: UTF8.self)
    }

    private struct Written: Encodable {
        let write: @Sendable (any Encoder) throws -> Void
        func encode(to encoder: any Encoder) throws { try write(encoder) }
    }

    @Test func `members are encoded in the order of declaration`() throws {
        struct Order: Encodable { var id = 7, name = "a/b", tags = ["x"], note: String?, price = 1.50, paid = true }
        #expect(try encode(Order()) == #"{"id":7,"name":"a\/b","tags":["x"],"price":1.5,"paid":true}"#)
    }

    @Test func `characters that JSON requires to be escaped are escaped`() throws {
        #expect(try encode("\"\\/\u{8}\u{C}\n\r\t\u{1}\u{1F}\u{7F}é🚢") == #""\"\\\/\b\f\n\r\t\u0001\u001f\#u{7F}é🚢""#)
        for length in 0..<40 {
            let text = String(repeating: "x", count: length) + "\"" + String(repeating: "y", count: length)
            #expect(try FastJSONDecoder().decode(String.self, from: FastJSONEncoder().encode(text)) == text)
        }
    }

    @Test func `containers written in turns are encoded separately`() throws {
        let value = Written { encoder in
            var root = encoder.container(keyedBy: AnyKey.self)
            var first = root.nestedContainer(keyedBy: AnyKey.self, forKey: AnyKey("first"))
            var second = root.nestedUnkeyedContainer(forKey: AnyKey("second"))
            try first.encode(1, forKey: AnyKey("a"))
            try second.encode("b")
            try root.encode(2.5, forKey: AnyKey("c"))
            try first.encode(["d"], forKey: AnyKey("e"))
            try second.encode(3)
            try root.superEncoder().singleValueContainer2("f")
            try first.encodeNil(forKey: AnyKey("g"))
        }
        #expect(
            try encode(value)
                == #"{"first":{"a":1,"e":["d"],"g":null},"second":["b",3],"c":2.5,"super":"f"}"#)
    }

    @Test func `the containers of a class and its superclass are merged`() throws {
        let value = Written { encoder in
            var base = encoder.container(keyedBy: AnyKey.self)
            try base.encode("base", forKey: AnyKey("type"))
            var derived = encoder.container(keyedBy: AnyKey.self)
            try derived.encode(1, forKey: AnyKey("id"))
            try derived.encode("derived", forKey: AnyKey("type"))
        }
        #expect(try encode(value) == #"{"id":1,"type":"derived"}"#)
        #expect(try encode([value, value]) == #"[{"id":1,"type":"derived"},{"id":1,"type":"derived"}]"#)
    }

    @Test func `a repeated key is found among many keys with equal prefixes`() throws {
        func members(_ last: String) -> Written {
            Written { encoder in
                var container = encoder.container(keyedBy: AnyKey.self)
                for number in 0..<50 { try container.encode(number, forKey: AnyKey("createdAt\(number)")) }
                try container.encode(-1, forKey: AnyKey(last))
            }
        }
        let (different, twice) = (members("createdAtX"), members("createdAt7"))
        let values = try FastJSONDecoder().decode(
            [[String: Int]].self, from: FastJSONEncoder().encode([different, twice, twice]))
        #expect(values.map(\.count) == [51, 50, 50])
        #expect(values.map { $0["createdAt7"] } == [7, -1, -1])
        #expect(try encode(twice).ranges(of: "\"createdAt7\"").count == 1)
    }

    @Test func `requesting a container for the same key again continues it`() throws {
        let value = Written { encoder in
            var root = encoder.container(keyedBy: AnyKey.self)
            for name in ["street", "city"] {
                var address = root.nestedContainer(keyedBy: AnyKey.self, forKey: AnyKey("address"))
                try address.encode(name, forKey: AnyKey(name))
                var list = root.nestedUnkeyedContainer(forKey: AnyKey("list"))
                try list.encode(name)
            }
        }
        #expect(try encode(value) == #"{"address":{"street":"street","city":"city"},"list":["street","city"]}"#)
    }

    @Test func `another value replaces a value whose encoding failed`() throws {
        let failing = Written { encoder in
            var container = encoder.container(keyedBy: AnyKey.self)
            try container.encode(1, forKey: AnyKey("a"))
            throw CancellationError()
        }
        let value = Written { encoder in
            var container = encoder.singleValueContainer()
            do { try container.encode(failing) } catch { try container.encode("fallback") }
        }
        #expect(try encode([value]) == #"["fallback"]"#)
        let member = Written { encoder in
            var container = encoder.container(keyedBy: AnyKey.self)
            try? container.encode(failing, forKey: AnyKey("x"))
            try container.encode("f", forKey: AnyKey("x"))
        }
        let twice = Written { encoder in
            var container = encoder.container(keyedBy: AnyKey.self)
            try container.encode(1, forKey: AnyKey("x"))
            try container.encode(2, forKey: AnyKey("x"))
        }
        #expect(try encode([member, twice]) == #"[{"x":"f"},{"x":2}]"#)
    }

    @Test func `a member whose encoding failed is left out`() throws {
        let value = Written { encoder in
            var container = encoder.container(keyedBy: AnyKey.self)
            try container.encode(1, forKey: AnyKey("a"))
            try? container.encode(Written { _ in throw CancellationError() }, forKey: AnyKey("b"))
            try? container.encode(Double.nan, forKey: AnyKey("c"))
            try container.encode(2, forKey: AnyKey("d"))
            var list = container.nestedUnkeyedContainer(forKey: AnyKey("e"))
            try? list.encode(Double.infinity)
            #expect(list.count == 0)
        }
        #expect(try encode(value) == #"{"a":1,"d":2,"e":[]}"#)
    }

    @Test func `an encoding error has the path of the value`() throws {
        do {
            _ = try encode(["a": [1, Double.infinity]])
            Issue.record("infinity was encoded")
        } catch EncodingError.invalidValue(_, let context) {
            #expect(context.codingPath.map(\.stringValue) == ["a", "Index 1"])
        }
        #expect(throws: EncodingError.self) { try encode(Written { _ in }) }
        #expect(try encode(["a": Written { _ in }]) == #"{"a":{}}"#)
        #expect(
            try encode(Double.nan) {
                $0.nonConformingFloatEncodingStrategy = .convertToString(
                    positiveInfinity: "+", negativeInfinity: "-", nan: "?")
            } == "\"?\"")
        #expect(
            try encode([1, -Double.infinity]) {
                $0.nonConformingFloatEncodingStrategy = .convertToString(
                    positiveInfinity: "+", negativeInfinity: "-", nan: "?")
            } == "[1,\"-\"]")
    }

    @Test func `keys are converted, but not those of dictionaries`() throws {
        struct Named: Encodable { var firstName = "a", counts = ["perDay": 1], myURLProperty = 2 }
        #expect(
            try encode(Named()) { $0.keyEncodingStrategy = .convertToSnakeCase }
                == #"{"first_name":"a","counts":{"perDay":1},"my_url_property":2}"#)
        #expect(
            try encode(Named()) {
                $0.keyEncodingStrategy = .custom { AnyKey($0[$0.count - 1].stringValue.uppercased()) }
            }
                == #"{"FIRSTNAME":"a","COUNTS":{"perDay":1},"MYURLPROPERTY":2}"#)
    }

    @Test func `dates and data are encoded by their strategies`() throws {
        let date = Date(timeIntervalSince1970: 1_700_000_000)
        #expect(try encode(date) { $0.dateEncodingStrategy = .secondsSince1970 } == "1700000000")
        #expect(try encode(date) { $0.dateEncodingStrategy = .millisecondsSince1970 } == "1700000000000")
        #expect(try encode(["d": date]) { $0.dateEncodingStrategy = .iso8601 } == #"{"d":"2023-11-14T22:13:20Z"}"#)
        let custom = try encode([date]) {
            $0.dateEncodingStrategy = .custom { date, encoder in
                var container = encoder.unkeyedContainer()
                try container.encode(date.timeIntervalSince1970 / 1e9)
            }
        }
        #expect(custom == "[[1.7]]")
        #expect(try encode(Data("hi".utf8)) == "\"aGk=\"")
        #expect(try encode([Data([1, 2])]) { $0.dataEncodingStrategy = .deferredToData } == "[[1,2]]")
    }

    @Test func `encoding fails only for dates and decimals without a finite number`() throws {
        let far = Date(timeIntervalSinceReferenceDate: 1e306)
        #expect(throws: EncodingError.self) { try encode([far]) { $0.dateEncodingStrategy = .millisecondsSince1970 } }
        #expect(try encode([far]) == "[1e+306]")
        #expect(try encode([far]) { $0.dateEncodingStrategy = .secondsSince1970 } == "[1e+306]")
        #expect(throws: EncodingError.self) { try encode([Date(timeIntervalSinceReferenceDate: .infinity)]) }
        #expect(throws: EncodingError.self) { try encode([Decimal.nan]) }
    }

    @Test func `integers of every size are encoded`() throws {
        #expect(try encode([Int.min, .max]) == "[-9223372036854775808,9223372036854775807]")
        #expect(try encode([UInt64.max]) == "[18446744073709551615]")
        #expect(try encode([Int8.min, 0, 9, 10, 99, 100, .max]) == "[-128,0,9,10,99,100,127]")
        #expect(try encode([Int128.min]) == "[-170141183460469231731687303715884105728]")
        #expect(try encode([UInt128.max]) == "[340282366920938463463374607431768211455]")
        #expect(try encode([Float(1.1), 2, -0.5]) == "[1.1,2,-0.5]")
    }
}

extension Encoder {
    fileprivate func singleValueContainer2(_ value: String) throws {
        var container = singleValueContainer()
        try container.encode(value)
    }
}
