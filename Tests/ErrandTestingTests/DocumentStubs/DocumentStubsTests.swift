import Errand
import ErrandTesting
import Testing

/// The stubs of a small document, as the generator writes them.
struct ShopStubs: DocumentStubs {
    let stubs: RouteStubs

    enum Statuses: String, StubStatus {
        case ok = "200"
        case notFound = "404"
        case clientError = "4XX"
        case other = "default"
    }

    var addItem: OperationStub<Statuses> { operation("addItem") }
    var getItem: OperationStub<Statuses> { operation("getItem") }
    var getCart: OperationStub<Statuses> { operation("getCart") }
    var listItems: OperationStub<Statuses> { operation("listItems") }

    static let document = StubDocument(
        ##"""
        {
          "basePath": "/v1",
          "operations": {
            "addItem": {"route": "POST /items", "body": "requestBody", "responses": {"200": "Item"}},
            "getCart": {"route": "GET /items/cart", "responses": {"200": "none"}},
            "getFile": {"route": "GET /files/{name}.{type}", "parameters": ["parameters/0"], "responses": {"200": "none"}},
            "getItem": {
              "route": "GET /items/{id}", "parameters": ["#/components/parameters/id"],
              "responses": {"200": "Item", "404": "none", "4XX": "none", "default": "Problem"}
            },
            "listItems": {
              "route": "GET /items", "parameters": ["parameters/0", "parameters/1", "parameters/2", "parameters/3"],
              "responses": {"200": "[Item]"}, "pages": {"parameter": "page", "first": 1, "items": []}
            },
            "open": {"route": "POST /carts", "body": "#/paths/~1items/post/requestBody", "responses": {"200": "Item"}},
            "renew": {"route": "POST /carts", "pointer": "#/paths/~1carts#renew/post", "body": "#/renewal", "responses": {"200": "none"}},
            "talk": {"route": "GET /talk?mode=a", "responses": {"200": "talk"}},
            "whisper": {"route": "GET /talk?mode=b", "responses": {"200": "none"}}
          },
          "parameters": {
            "#/components/parameters/id": {"name": "id", "in": "path", "required": true, "schema": {"type": "integer"}},
            "#/paths/~1files~1{name}.{type}/get/parameters/0":
              {"name": "type", "in": "path", "required": true, "schema": {"enum": ["txt", "md"]}},
            "#/paths/~1items/get/parameters/0": {"name": "shop", "in": "query", "required": true},
            "#/paths/~1items/get/parameters/1":
              {"name": "sizes", "in": "query", "explode": false, "schema": {"type": "array", "items": {"type": "integer"}}},
            "#/paths/~1items/get/parameters/2": {"name": "X-Trace", "in": "header", "schema": {"minLength": 3}},
            "#/paths/~1items/get/parameters/3": {"name": "page", "in": "query", "schema": {"type": "integer", "minimum": 1}}
          },
          "bodies": {
            "#/renewal": {"required": true, "content": [{"type": "text/plain"}]},
            "#/paths/~1items/post/requestBody": {
              "required": true, "content": [
                {"type": "application/json", "schema": {"$ref": "#/components/schemas/Item"}},
                {"type": "application/x-www-form-urlencoded", "schema": {"$ref": "#/components/schemas/Item"}}
              ]
            }
          },
          "responses": {
            "Item": {"headers": {"ETag": "\"1\""}, "content": [{"type": "application/json", "value": {"name": "a"}}]},
            "[Item]": {"content": [{"type": "application/json", "value": [{"name": "a"}]}]},
            "Problem": {"content": [{"type": "application/problem+json", "value": {"title": "b"}}]},
            "talk": {"content": [{"type": "application/json", "value": 1}, {"type": "text/event-stream", "text": "data: 1\n\n"}]},
            "none": {}
          },
          "schemas": {
            "#/components/schemas/Item": {
              "type": "object", "required": ["id", "name"], "additionalProperties": false,
              "properties": {
                "id": {"type": "integer", "readOnly": true}, "name": {"type": "string", "maxLength": 4},
                "kind": {"oneOf": [{"enum": ["a", "b"]}, {"$ref": "#/components/schemas/Kind"}]},
                "parts": {"type": "array", "items": {"$ref": "#/components/schemas/Item"}}
              }
            },
            "#/components/schemas/Kind": {"type": ["object", "null"], "required": ["code"], "properties": {"code": {"type": "string"}}}
          }
        }
        """##)
}

extension RouteStubs {
    var onShop: ShopStubs { ShopStubs(stubs: self) }

    /// Sends a request without a retry.
    func request(
        _ method: String, _ target: String, _ headers: [String: String] = [:], body: String? = nil
    ) async throws -> DataResponse {
        var request = URLRequest(url: try #require(URL(string: "https://shop.example.com\(target)")))
        request.httpMethod = method
        request.allHTTPHeaderFields = headers
        request.httpBody = body.map { Data($0.utf8) }
        return try await send(TransportRequest(request))
    }
}

struct `Stubs of a document` {
    let stubs = RouteStubs()

    @Test func `one call stubs all operations with their first success`() async throws {
        stubs.onShop()
        let item = try await stubs.request("GET", "/v1/items/1")
        #expect(item.statusCode == 200 && item.data == Data(#"{"name":"a"}"#.utf8))
        #expect(item.headers["Content-Type"] == "application/json" && item.headers["ETag"] == "\"1\"")
        #expect(try await stubs.request("GET", "/v1/files/a.md").data.isEmpty)
        try stubs.verify()
    }

    @Test func `a stub of one operation replaces that of all, and has the chosen status`() async throws {
        stubs.onShop()
        stubs.onShop.getItem(.clientError, times: .once)
        stubs.onShop.getItem(.other, statusCode: 503, times: .once)
        stubs.onShop.getItem(.other, times: .once)
        stubs.onShop.getItem(.status(202), times: .once)
        var codes: [Int] = []
        for _ in 0..<5 { codes.append(try await stubs.request("GET", "/v1/items/1").statusCode) }
        #expect(codes == [202, 500, 503, 400, 200])
        try stubs.verify()
    }

    @Test func `a stub of one operation must be used, and its message has the place in the document`() async throws {
        stubs.onShop.getItem(inTurn: [.failure(.timedOut), stubs.onShop.getItem.response(.notFound)])
        let line = #line - 1
        let failure = await thrown(StubFailure.self) { try stubs.verify() }
        let route = "GET /v1/items/:id at #/paths/~1items~1{id}/get"
        #expect(failure?.problems.first?.message == "\(route) (DocumentStubsTests.swift:\(line)) was not used")
    }

    @Test func `a closure gets the parameters of the path`() async throws {
        stubs.onShop.getItem { request in .text(request.parameters["id"] ?? "") }
        #expect(try await stubs.request("GET", "/v1/items/7").data == Data("7".utf8))
    }

    @Test func `a literal segment and a query decide before a parameter`() async throws {
        stubs.onShop()
        stubs.onShop.getCart(.status(201))
        stubs.onShop.getItem(.status(202), times: .any)
        #expect(try await stubs.request("GET", "/v1/items/cart").statusCode == 201)
        #expect(try await stubs.request("GET", "/v1/talk?mode=a").data == Data("1".utf8))
        #expect(try await stubs.request("GET", "/v1/talk?mode=b").data.isEmpty)
    }

    @Test func `of operations with one route, the one that the request fits counts`() async throws {
        stubs.onShop()
        let json = ["Content-Type": "application/json"]
        #expect(try await !stubs.request("POST", "/v1/carts", json, body: #"{"name": "a"}"#).data.isEmpty)
        #expect(try await stubs.request("POST", "/v1/carts", ["Content-Type": "text/plain"], body: "a").data.isEmpty)
    }

    @Test func `a request that asks for the stream gets it`() async throws {
        stubs.onShop()
        let stream = try await stubs.request("GET", "/v1/talk?mode=a", ["Accept": "text/event-stream"])
        #expect(stream.data == Data("data: 1\n\n".utf8))
    }

    @Test func `a page after the first one is empty`() async throws {
        stubs.onShop()
        #expect(try await stubs.request("GET", "/v1/items?shop=a&page=1").data == Data(#"[{"name":"a"}]"#.utf8))
        #expect(try await stubs.request("GET", "/v1/items?shop=a&page=2").data == Data("[]".utf8))
    }

    @Test func `the base URL of the stubs replaces the server of the document`() async throws {
        let stubs = RouteStubs(baseURL: URL(string: "https://shop.example.com/test/v2/"))
        stubs.onShop()
        #expect(try await stubs.request("GET", "/test/v2/items/1").statusCode == 200)
        await #expect(throws: ErrandError.self) { try await stubs.request("GET", "/v1/items/1") }
    }

    @Test func `a path that the document does not have names the nearest operations with their places`() async throws {
        stubs.onShop()
        let error = await thrown { _ = try await stubs.request("GET", "/v1/item") }
        #expect(error?.code == .unexpectedRequest)
        let nearest = "GET /v1/items at #/paths/~1items/get (DocumentStubsTests.swift:"
        let start = "GET /v1/item is not stubbed; the nearest: \(nearest)"
        #expect(error?.reason?.hasPrefix(start) == true, "\(error?.reason ?? "")")
    }

    @Test(arguments: [
        ("GET /v1/items", "the request has no query item \"shop\" (#/paths/~1items/get/parameters/0)"),
        (
            "GET /v1/items?shop=a&sizes=1,x",
            "the query item \"sizes\" must be an integer, not a string (#/paths/~1items/get/parameters/1/schema/items/type)"
        ),
        (
            "GET /v1/items?shop=a&page=0",
            "the query item \"page\" is too small (#/paths/~1items/get/parameters/3/schema/minimum)"
        ),
        (
            "GET /v1/items/x",
            "the parameter \"id\" of the path must be an integer, not a string (#/components/parameters/id/schema/type)"
        ),
        (
            "GET /v1/files/a.exe",
            "the parameter \"type\" of the path is not one of the values of its enumeration (#/paths/~1files~1{name}.{type}/get/parameters/0/schema/enum)"
        ),
    ])
    func `a request whose parameters do not fit the document fails with the place`(
        _ line: String, _ fault: String
    ) async throws {
        stubs.onShop()
        let parts = line.split(separator: " ").map(String.init)
        let error = await thrown { _ = try await stubs.request(parts[0], parts[1]) }
        #expect(error?.code == .unexpectedRequest)
        let path = parts[1].prefix { $0 != "?" }
        #expect(error?.reason == "\(parts[0]) \(path) does not fit the document: \(fault)")
        #expect(throws: StubFailure.self) { try stubs.verify() }
    }

    @Test func `parameters that fit the document pass, and others are allowed`() async throws {
        stubs.onShop()
        let target = "/v1/items?shop=a&sizes=1,2&page=3&unknown=1"
        #expect(try await stubs.request("GET", target, ["X-Trace": "abc"]).statusCode == 200)
        let error = await thrown { _ = try await stubs.request("GET", target, ["X-Trace": "a"]) }
        #expect(error?.reason?.contains("the header field X-Trace has too few characters") == true)
    }

    private static let item = "#/components/schemas/Item"

    @Test(arguments: [
        ("{", "the body is not JSON (#/paths/~1items/post/requestBody/content/application~1json)"),
        ("[]", "the body must be an object, not an array (\(item)/type)"),
        ("{}", "the body has no \"name\" (\(item)/required)"),
        (#"{"name": 1}"#, "the body's /name must be a string, not a number (\(item)/properties/name/type)"),
        (#"{"name": "abcde"}"#, "the body's /name has too many characters (\(item)/properties/name/maxLength)"),
        (
            #"{"name": "a", "b": 1}"#,
            "the body has the member \"b\", which is not allowed (\(item)/additionalProperties)"
        ),
        (#"{"name": "a", "kind": "c"}"#, "the body's /kind fits none of the 2 schemas (\(item)/properties/kind/oneOf)"),
        (
            #"{"name": "a", "kind": {"code": 1}}"#,
            "the body's /kind/code must be a string, not a number (#/components/schemas/Kind/properties/code/type)"
        ),
        (#"{"name": "a", "parts": [{"name": "b"}, {}]}"#, "the body's /parts/1 has no \"name\" (\(item)/required)"),
    ])
    func `a body that does not fit the document fails with the place`(_ body: String, _ fault: String) async throws {
        stubs.onShop()
        let error = await thrown {
            _ = try await stubs.request("POST", "/v1/items", ["Content-Type": "application/json"], body: body)
        }
        #expect(error?.reason == "POST /v1/items does not fit the document: \(fault)")
    }

    @Test func `a required body must be there, and an empty file is one`() async throws {
        stubs.onShop()
        let error = await thrown { _ = try await stubs.request("POST", "/v1/items") }
        let place = "(#/paths/~1items/post/requestBody)"
        #expect(error?.reason == "POST /v1/items does not fit the document: the request has no body \(place)")
        #expect(try await stubs.request("POST", "/v1/carts", ["Content-Type": "text/plain"]).statusCode == 200)
    }

    @Test(arguments: [
        ("application/json", #"{"name": "a", "kind": null, "parts": [{"name": "b", "kind": {"code": "c"}}]}"#, nil),
        ("application/x-www-form-urlencoded", "name=a", nil),
        ("application/x-www-form-urlencoded", "kind=a", "the body has no \"name\" (\(item)/required)"),
        (
            "text/csv", "a",
            "the body is text/csv, which is not one of its media types (#/paths/~1items/post/requestBody/content)"
        ),
    ])
    func `the media type of the body decides how it is checked`(
        _ type: String, _ body: String, _ fault: String?
    ) async throws {
        stubs.onShop()
        let result = await Result.of {
            try await stubs.request("POST", "/v1/items", ["Content-Type": type], body: body)
        }
        switch result {
        case .success: #expect(fault == nil)
        case .failure(let error):
            let reason = (error as? ErrandError)?.reason
            #expect(reason == fault.map { "POST /v1/items does not fit the document: \($0)" })
        }
    }
}

extension Result where Failure == any Error {
    /// The result of a closure.
    fileprivate static func of(_ body: () async throws -> Success) async -> Result {
        do { return .success(try await body()) } catch { return .failure(error) }
    }
}
