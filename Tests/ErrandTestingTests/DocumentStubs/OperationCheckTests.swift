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
        let check = OperationCheck(document, operation, baseLength: 0)
        return check.fault(of: try MockRequest(request, body: Data()))?.message
    }

    /// Returns what is wrong with a body, without the place.
    private func fault(body: String, _ type: String = "application/json", schemas: String) throws -> String? {
        let document = StubDocument(
            """
            {
              "operations": {"a": {"route": "POST /a", "body": "#/b", "responses": {}}}, "parameters": {},
              "bodies": {"#/b": {"content": [{"type": "\(type)", "schema": {"$ref": "#/S"}}]}},
              "responses": {}, "schemas": {\(schemas)}
            }
            """)
        var request = URLRequest(url: try #require(URL(string: "https://example.com/a")))
        request.httpMethod = "POST"
        request.allHTTPHeaderFields = ["Content-Type": type]
        let check = OperationCheck(document, try #require(document.operations["a"]), baseLength: 0)
        return check.fault(of: try MockRequest(request, body: Data(body.utf8)))?.message
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

    private static let names = #""schema": {"type": "array", "items": {"enum": ["a b", "a,b", "c"]}}"#

    @Test(arguments: [
        (#""in": "cookie", "schema": {"enum": ["a b"]}"#, "/a/1", "p=a%20b", true),
        (#""in": "cookie", "schema": {"enum": ["a b"]}"#, "/a/1", "p=a%20c", false),
        (#""in": "cookie", "explode": false, \#(names)"#, "/a/1", "p=a%2Cb,c", true),
        (#""in": "query", "explode": false, \#(names)"#, "/a/1?p=a%2Cb,a%20b,c", "", true),
        (#""in": "query", "explode": false, \#(names)"#, "/a/1?p=a,b", "", false),
        (#""in": "path", \#(names)"#, "/a/a%2Cb,a%20b,c", "", true), (#""in": "path", \#(names)"#, "/a/a,b", "", false),
        (#""in": "path", "style": "matrix", "explode": true, \#(list)"#, "/a/;p=1;p=2", "", true),
        (#""in": "path", "style": "matrix", "explode": true, \#(list)"#, "/a/;p=1;p=b", "", false),
        (#""in": "path", "style": "matrix", \#(list)"#, "/a/;p=1,2", "", true),
        (#""in": "path", "style": "label", \#(list)"#, "/a/.1,2", "", true),
        (#""in": "path", "style": "label", "explode": true, \#(names)"#, "/a/.a%2Cb.c", "", true),
    ])
    func `a parameter is split before it is decoded`(
        _ parameter: String, _ target: String, _ cookie: String, _ fits: Bool
    ) throws {
        #expect((try fault(#""name": "p", \#(parameter)"#, target, ["Cookie": cookie]) == nil) == fits)
    }

    @Test func `the elements of a header field can have spaces around them`() throws {
        let parameter = #""name": "X-H", "in": "header", \#(Self.list)"#
        #expect(try fault(parameter, "/a/1", ["X-H": "1, 2"]) == nil)
        #expect(try fault(parameter, "/a/1", ["X-H": "1, b"]) != nil)
    }

    @Test(arguments: [
        (#"{"type": "array", "items": {}}"#, true), (#"{"type": "array", "minItems": 0}"#, true),
        (#"{"type": "array", "minItems": 1}"#, false), (#"{"type": "string"}"#, false),
    ])
    func `a required array without elements is sent as nothing`(_ schema: String, _ fits: Bool) throws {
        let parameter = #""name": "x", "in": "query", "required": true, "schema": \#(schema)"#
        #expect((try fault(parameter, "/a/1") == nil) == fits)
        let form = ##""#/S": {"required": ["x"], "properties": {"x": \##(schema), "y": {}}}"##
        #expect((try fault(body: "y=1", "application/x-www-form-urlencoded", schemas: form) == nil) == fits)
    }

    @Test func `forms and parameters whose schemas refer to each other end`() throws {
        let circle = ##""#/S": {"$ref": "#/T"}, "#/T": {"$ref": "#/S"}"##
        #expect(try fault(body: "a=1", "application/x-www-form-urlencoded", schemas: circle) == nil)
        let references = (0..<6).map { ##"{"$ref": "#/\##($0)"}"## }.joined(separator: ", ")
        let unions = (0..<6).map { ##""#/\##($0)": {"anyOf": [\##(references)]}"## }.joined(separator: ", ")
        #expect(
            try fault(##""name": "x", "in": "query", "schema": {"$ref": "#/0"}"##, "/a/1?x=1", schemas: unions) == nil)
    }

    @Test(.timeLimit(.minutes(1)))
    func `alternatives with the same members are checked once for each place`() throws {
        let operations = ["add", "sub", "mul", "div"]
        var schemas = operations.map { name in
            ##"""
            "#/\##(name)": {"type": "object", "required": ["op", "left", "right"], "properties": {
              "left": {"$ref": "#/S"}, "op": {"enum": ["\##(name)"]}, "right": {"$ref": "#/S"}}}
            """##
        }
        let branches = operations.map { ##"{"$ref": "#/\##($0)"}"## } + [#"{"type": "number"}"#]
        schemas.append(##""#/S": {"oneOf": [\##(branches.joined(separator: ", "))]}"##)
        var body = "1"
        for _ in 0..<20 { body = #"{"op": "div", "left": \#(body), "right": 2}"# }
        #expect(try fault(body: body, schemas: schemas.joined(separator: ", ")) == nil)
        let faulty = body.replacing(#""left": 1,"#, with: #""left": "a","#)
        #expect(try fault(body: faulty, schemas: schemas.joined(separator: ", ")) != nil)
    }

    @Test(.timeLimit(.minutes(1))) func `parts that refer to the same schemas are checked once`() throws {
        var schemas = (0..<30).map { level in
            let part = ##"{"$ref": "#/L\##(level + 1)"}"##
            return ##""#/\##(level == 0 ? "S" : "L\(level)")": {"allOf": [\##(part), \##(part)]}"##
        }
        schemas.append(##""#/L30": {"required": ["a"]}"##)
        #expect(try fault(body: #"{"a": 1}"#, schemas: schemas.joined(separator: ", ")) == nil)
        #expect(try fault(body: "{}", schemas: schemas.joined(separator: ", ")) == "the body has no \"a\"")
    }

    private static let pet = ##""#/P": {"properties": {"id": {"readOnly": true}, "name": {}}}"##

    @Test(arguments: [
        (##"{"allOf": [{"$ref": "#/P"}, {"required": ["id", "name"]}]}"##, #"{"name": "a"}"#, true),
        (##"{"allOf": [{"$ref": "#/P"}, {"required": ["id", "name"]}]}"##, #"{}"#, false),
        (##"{"required": ["id"], "allOf": [{"$ref": "#/P"}]}"##, "{}", true),
        (##"{"allOf": [{"$ref": "#/P"}, {"oneOf": [{"required": ["id"]}]}]}"##, "{}", true),
        (##"{"required": ["id"], "oneOf": [{"$ref": "#/P"}]}"##, "{}", true),
        (
            ##"{"allOf": [{"$ref": "#/P"}, {"properties": {"b": {}}, "additionalProperties": false}]}"##,
            #"{"name": "a", "b": 1}"#, true
        ),
        (
            ##"{"allOf": [{"$ref": "#/P"}, {"properties": {"b": {}}, "additionalProperties": false}]}"##,
            #"{"name": "a", "c": 1}"#, false
        ),
        (
            #"{"oneOf": [{"properties": {"a": {}}, "additionalProperties": false}, {"required": ["b", "c"]}]}"#,
            #"{"a": 1, "b": 2}"#, false
        ),
    ])
    func `the parts of a schema know the members of each other`(
        _ schema: String, _ body: String, _ fits: Bool
    ) throws {
        #expect((try fault(body: body, schemas: ##""#/S": \##(schema), \##(Self.pet)"##) == nil) == fits)
    }

    @Test func `a segment with several parameters matches its encoded text`() throws {
        let path = OperationPath("/{name}(b c){type}")
        #expect(path.parameters(of: ["a%2Cb(b%20c)d"]) == ["name": "a%2Cb", "type": "d"])
        #expect(path.parameters(of: ["a%28b%20c%29d"]) == ["name": "a", "type": "d"])
        #expect(OperationPath("/{a}2C{b}").parameters(of: ["x%2Cy"]) == nil)
        #expect(OperationPath("/é").parameters(of: ["%C3%A9"]) == [:])
    }
}
