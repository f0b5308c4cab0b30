import ErrandJSON
import Foundation
import Testing

struct `JSON without a schema` {
    private let document: JSONValue = [
        "items": [["name": "Ingrid", "age": 41], ["name": nil, "a/b": true, "m~n": 1.5]], "count": 2,
    ]

    @Test func `values are found by key, index and JSON Pointer`() {
        #expect(document["items"]?[0]?["name"]?.string == "Ingrid")
        #expect(document["items"]?[2] == nil)
        #expect(document["items"]?["name"] == nil)
        #expect(document["count"]?.int == 2)
        #expect(document[pointer: ""] == document)
        #expect(document[pointer: "/items/0/age"]?.int == 41)
        #expect(document[pointer: "/items/1/a~1b"]?.bool == true)
        #expect(document[pointer: "/items/1/m~0n"]?.double == 1.5)
        #expect(document[pointer: "/items/1/name"]?.isNull == true)
        for missing in ["items", "/items/01", "/items/-1", "/items/+1", "/items/9", "/none/0", "/count/0", "/items/"] {
            #expect(document[pointer: missing] == nil, "\(missing)")
        }
    }

    @Test func `a JSON Pointer finds keys that begin with a combining accent`() {
        let value: JSONValue = ["a": ["\u{301}": 1, "~/": 2]]
        #expect(value[pointer: "/a/\u{301}"]?.int == 1)
        #expect(value[pointer: "/a/~0~1"]?.int == 2)
        #expect(value[pointer: "/a/~2"] == nil)
    }

    @Test func `a number outside the range of Double has no double value`() {
        #expect(JSONNumber("1e-400")?.double == nil)
        #expect(JSONNumber("-1e400")?.double == nil)
        #expect(JSONNumber("0e-400")?.double == 0)
        #expect(JSONNumber("-0.0")?.double == 0)
    }

    @Test func `decoding from a JSON value reports no location in a document`() throws {
        let error = try #require(throws: DecodingError.self) { try document.decoded(as: [String: Int].self) }
        #expect(error.jsonLocation == nil)
        #expect(!"\(error)".contains("column") && !"\(error)".contains("JSONOffset"))
    }

    @Test func `a pretty-printed value is indented`() throws {
        let value = try FastJSONDecoder().decode(
            JSONValue.self, from: Data(#"{"b":[true,null,1,2.50,{}],"a":{"c":"é/\"","d":[]}}"#.utf8))
        let expected = #"""
            {
              "a" : {
                "c" : "é/\"",
                "d" : [

                ]
              },
              "b" : [
                true,
                null,
                1,
                2.50,
                {

                }
              ]
            }
            """#
        #expect(value.prettyPrinted == expected)
    }

    @Test func `a JSON value keeps the digits of its numbers`() throws {
        let text = "[12345678901234567890.10,1e400,-0,1.0]"
        let value = try FastJSONDecoder().decode(JSONValue.self, from: Data(text.utf8))
        #expect(value.description == text)
        #expect(value[0]?.number?.decimal == Decimal(string: "12345678901234567890.1"))
        #expect(value[1]?.double == nil)
        #expect(value[3]?.int == 1)
    }

    @Test func `a JSON value can be encoded and decoded by Foundation`() throws {
        let copy = try JSONDecoder().decode(JSONValue.self, from: JSONEncoder().encode(document))
        #expect(copy == document)
    }

    @Test func `another decoder and encoder report a number that they cannot represent`() {
        let failure = #expect(throws: DecodingError.self) {
            try JSONDecoder().decode(JSONValue.self, from: Data(#"{"a": [1, 1e999]}"#.utf8))
        }
        // The error must be about the number, and not say that an object was expected.
        if case .typeMismatch(let type, _)? = failure { Issue.record("\(type) was expected") }
        #expect(throws: EncodingError.self) { try JSONEncoder().encode([JSONNumber("1e-999")]) }
    }

    @Test func `a JSON value is converted to and from a type`() throws {
        struct Person: Codable, Equatable { var name: String, age: Int }
        let person = Person(name: "Ingrid", age: 41)
        #expect(try document["items"]?[0]?.decoded(as: Person.self) == person)
        #expect(try JSONValue(encoding: person) == ["age": 41, "name": "Ingrid"])
    }

    @Test func `a JSON value can be a member of a type`() throws {
        struct Event: Codable, Equatable { var id: Int, payload: JSONValue, extra: [String: JSONValue]? }
        let text = #"{"id":1,"payload":[null,{"a":1.50}]}"#
        let event = try FastJSONDecoder().decode(Event.self, from: Data(text.utf8))
        #expect(event.payload == [nil, ["a": 1.5]])
        #expect(String(decoding: try FastJSONEncoder().encode(event), as: UTF8.self) == text)
    }

    @Test func `JSON numbers are compared by value`() throws {
        #expect(JSONNumber("1.0") == JSONNumber("1"))
        #expect(JSONNumber("10e-1") == JSONNumber("1"))
        #expect(JSONNumber("-0") == JSONNumber("0.00"))
        #expect(JSONNumber("1e99999999999999999999") != JSONNumber("1e2"))
        #expect(JSONNumber("1") != JSONNumber("-1"))
        #expect(JSONNumber("10e9223372036854775807") != JSONNumber("1.5e-9223372036854775808"))
        #expect(Set(["1", "1.0", "1e0", "2"].compactMap { JSONNumber($0) }).count == 2)
        for invalid in ["", " 1", "1 ", "+1", ".5", "1.", "01", "0x1", "NaN", "\"1\"", "[1]", "1e"] {
            #expect(JSONNumber(invalid) == nil, "\(invalid)")
        }
        #expect(JSONNumber(Double.infinity) == nil)
        #expect(JSONNumber(Decimal(string: "1.10") ?? 0)?.description == "1.1")
    }
}
