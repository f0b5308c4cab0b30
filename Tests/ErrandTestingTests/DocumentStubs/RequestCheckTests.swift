import Errand
import Testing

@testable import ErrandTesting

struct `A request that is compared with a document` {
    /// Returns what is wrong with `GET /a/{p}` and a parameter, without the place.
    private func fault(
        _ parameter: String, _ target: String, _ headers: [String: String] = [:], schemas: String = ""
    ) throws -> String? {
        let document = StubDocument(
            """
            {
              "operations": {"a": {"route": "GET /a/{p}", "parameters": ["#/p"], "responses": {}}},
              "parameters": {"#/p": {\(parameter)}}, "bodies": {}, "responses": {}, "schemas": {\(schemas)}
            }
            """)
        var request = URLRequest(url: try #require(URL(string: "https://example.com\(target)")))
        request.allHTTPHeaderFields = headers
        let operation = try #require(document.operations["a"])
        let check = RequestCheck(document, operation, baseLength: 0)
        return check.fault(of: try MockRequest(request, body: Data()))?.message
    }

    private static let list = #""schema": {"type": "array", "items": {"type": "integer"}}"#

    @Test(arguments: [
        (#""in": "query", "style": "spaceDelimited", "explode": false, \#(list)"#, "/a/1?x=1%202", false),
        (#""in": "query", "style": "pipeDelimited", "explode": false, \#(list)"#, "/a/1?x=1%7Cb", true),
        (#""in": "query", \#(list)"#, "/a/1?x=1&x=2", false), (#""in": "query", \#(list)"#, "/a/1?x=1&x=b", true),
        (#""in": "query", "json": true, \#(list)"#, "/a/1?x=%5B1%5D", false),
        (#""in": "query", "json": true, \#(list)"#, "/a/1?x=%5B%22a%22%5D", true),
    ])
    func `the elements of a list have their type in each style`(
        _ parameter: String, _ target: String, _ isFaulty: Bool
    ) throws {
        #expect((try fault(#""name": "x", \#(parameter)"#, target) != nil) == isFaulty)
    }

    @Test(arguments: [("label", "/a/.1.2", "/a/.1.b"), ("matrix", "/a/;p=1", "/a/;p=b"), ("simple", "/a/1,2", "/a/b")])
    func `a parameter of the path has its style`(_ style: String, _ target: String, _ faulty: String) throws {
        let parameter = #""name": "p", "in": "path", "style": "\#(style)", "explode": true, \#(Self.list)"#
        #expect(try fault(parameter, target) == nil)
        #expect(
            try fault(parameter, faulty) == "the parameter \"p\" of the path must be an integer, not a string")
    }

    @Test func `a cookie and an object with brackets are found`() throws {
        let cookie = #""name": "c", "in": "cookie", "required": true, "schema": {"type": "boolean"}"#
        #expect(try fault(cookie, "/a/1", ["Cookie": "b=1; c=true"]) == nil)
        #expect(try fault(cookie, "/a/1", ["Cookie": "b=1"]) == "the request has no cookie \"c\"")
        #expect(try fault(cookie, "/a/1", ["Cookie": "c=1"]) == "the cookie \"c\" must be a Boolean, not a number")
        let object =
            #""name": "f", "in": "query", "required": true, "style": "deepObject", "schema": {"type": "object"}"#
        #expect(try fault(object, "/a/1?f%5Bx%5D=1") == nil)
        #expect(try fault(object, "/a/1") == "the request has no query item \"f\"")
        #expect(try fault(object.replacing("deepObject", with: "form"), "/a/1?x=1") == nil)
    }

    @Test func `a value fits one of several schemas, and null is sent as nothing`() throws {
        let either = ##""name": "x", "in": "query", "required": true, "schema": {"$ref": "#/S"}"##
        let schemas = ##""#/S": {"anyOf": [{"type": "integer", "minimum": 5}, {"enum": ["all"]}]}"##
        for text in ["5", "all"] { #expect(try fault(either, "/a/1?x=\(text)", schemas: schemas) == nil) }
        #expect(
            try fault(either, "/a/1?x=4", schemas: schemas) == "the query item \"x\" fits none of the 2 schemas")
        #expect(try fault(either, "/a/1", schemas: schemas) == "the request has no query item \"x\"")
        #expect(try fault(either, "/a/1", schemas: ##""#/S": {"type": "integer", "nullable": true}"##) == nil)
    }

    @Test func `a schema that refers to itself ends`() throws {
        let parameter = ##""name": "x", "in": "query", "schema": {"$ref": "#/S"}"##
        #expect(try fault(parameter, "/a/1?x=1", schemas: ##""#/S": {"allOf": [{"$ref": "#/S"}]}"##) == nil)
    }
}
