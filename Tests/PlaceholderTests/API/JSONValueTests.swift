import Errand
import Testing

@testable import placeholder

struct `Any JSON` {
    @Test func `comes out as it went in, laid out for people`() throws {
        let document = #"{"b":[true,null,1,2.5,9007199254740993],"a":{"c":"é/\"","d":{}}}"#
        let value = try JSONDecoder().decode(JSONValue.self, from: Data(document.utf8))
        let expected = #"""
            {
              "a" : {
                "c" : "é/\"",
                "d" : {

                }
              },
              "b" : [
                true,
                null,
                1,
                2.5,
                9007199254740993
              ]
            }
            """#
        #expect(try value.prettyPrinted == expected)
    }

    @Test(arguments: ["", "{", "nope", "[1e999]"])
    func `is not just anything`(_ document: String) {
        #expect(throws: DecodingError.self) { try JSONDecoder().decode(JSONValue.self, from: Data(document.utf8)) }
    }
}
