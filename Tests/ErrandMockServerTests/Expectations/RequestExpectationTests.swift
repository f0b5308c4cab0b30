import Errand
import Testing

@testable import ErrandMockServer
@testable import ErrandTesting

struct `Request expectation` {
    private func description(
        _ method: RequestMethod = .get, _ path: String = "/books", where condition: RequestCondition = .always,
        query: KeyValuePairs<String, String>? = nil,
        headers: HeaderFields = [:], body: MockBody? = nil, of request: String
    ) throws -> String? {
        let expectation = RequestExpectation(
            method, path, where: condition, query: query, headers: headers, body: body)
        let request = try Wire.parsed(request)
        let difference = expectation.difference(from: request)
        #expect(expectation.matches(request) == difference.isEmpty)
        return expectation.matches(request) ? nil : difference.description
    }

    @Test func `an expectation ignores parts of the request that it does not mention`() throws {
        let request = Wire.request("GET", "/books?page=2", "Accept: text/html", body: "hello")
        #expect(try description(of: request) == nil)
    }

    @Test func `a different method or path is shown in one line`() throws {
        #expect(try description(.post, of: Wire.request("GET", "/books")) == "- POST /books\n+ GET /books")
        #expect(try description(of: Wire.request("GET", "/book")) == "- GET /books\n+ GET /book")
        #expect(try description(.get, "/a/b", of: Wire.request("GET", "/a%2Fb")) == "- GET /a/b\n+ GET /a%2Fb")
    }

    @Test func `the path of an expectation can have parameters`() throws {
        #expect(try description(.get, "/books/:id", of: Wire.request("GET", "/books/7")) == nil)
        #expect(try description(.get, "/books/*", of: Wire.request("GET", "/books/7/tags")) == nil)
        let other = try description(.get, "/books/:id", of: Wire.request("GET", "/authors/7"))
        #expect(other == "- GET /books/:id\n+ GET /authors/7")
    }

    @Test func `a condition that does not match is shown as a missing line`() throws {
        let request = Wire.request("GET", "/books?page=2")
        #expect(try description(where: [.query("page"), .not(.query("all"))], of: request) == nil)
        let difference = try description(
            where: [.query("page"), .any(of: .query("cursor"), .query("since")), .not(.query("page"))], of: request)
        let expected = """
              GET /books
              where the query has "page"
            - where the query has "cursor" or the query has "since"
            - where not (the query has "page")
              ?page=2
            """
        #expect(difference == expected)
    }

    @Test func `conditions can use the parameters of the path`() throws {
        let isSeven = RequestCondition.matching("the id is 7") { $0.parameters["id"] == "7" }
        #expect(try description(.get, "/books/:id", where: isSeven, of: Wire.request("GET", "/books/7")) == nil)
        #expect(try description(.get, "/books/:id", where: isSeven, of: Wire.request("GET", "/books/8")) != nil)
    }

    @Test func `query items are compared by name, and those with equal names in order`() throws {
        let request = Wire.request("GET", "/books?tag=b&author=Le%20Guin&tag=a&q")
        let same: KeyValuePairs = ["author": "Le Guin", "q": "", "tag": "b", "tag": "a"]
        #expect(try description(query: same, of: request) == nil)
        let other: KeyValuePairs = ["author": "Lem", "tag": "a", "tag": "b", "page": "1"]
        let expected = """
              GET /books
            - ?author=Lem
            - ?page=1
            - ?tag=a
            + ?author=Le Guin
            + ?q=
              ?tag=b
            + ?tag=a
            """
        let difference = try description(query: other, of: request)
        #expect(difference == expected)
        #expect(try description(query: [:], of: Wire.request("GET", "/books")) == nil)
        #expect(try description(query: [:], of: Wire.request("GET", "/books?a=b")) == "  GET /books\n+ ?a=b")
    }

    @Test func `header fields are compared by value, with case-insensitive names`() throws {
        let request = Wire.request("GET", "/books", "accept: text/html", "X-Tag: a", "X-Tag: b")
        #expect(try description(headers: ["Accept": "text/html", "X-Tag": "a", "X-Tag": "b"], of: request) == nil)
        let difference = try description(headers: ["Accept": "text/plain", "X-Tag": "a", "X-Odd": "1"], of: request)
        let expected = """
              GET /books
            - Accept: text/plain
            + Accept: text/html
              X-Tag: a
            - X-Odd: 1
            + X-Tag: b
            """
        #expect(difference == expected)
        // One value alone is enough.
        let other = try description(headers: ["Accept": "text/plain"], of: request)
        #expect(other == "  GET /books\n- Accept: text/plain\n+ Accept: text/html")
        #expect(try description(headers: ["X-Tag": "b", "X-Tag": "a"], of: request) != nil)
        #expect(try description(headers: ["X-Tag": "a"], of: request) != nil)
    }

    @Test func `credentials are compared but not shown`() throws {
        let request = Wire.request(
            "GET", "/books?api_key=sesame", "Authorization: Bearer one", "Cookie: a=b", "X-Auth-Token: three")
        let same: HeaderFields = ["Authorization": "Bearer one", "Cookie": "a=b", "X-Auth-Token": "three"]
        #expect(try description(query: ["api_key": "sesame"], headers: same, of: request) == nil)
        let difference = try description(
            query: ["api_key": "open"], headers: ["Authorization": "Bearer two", "Cookie": "a=b"], of: request)
        let expected = """
              GET /books
            - ?api_key=***
            - Authorization: ***
            + ?api_key=*** (another)
            + Authorization: *** (another)
              Cookie: ***
            """
        #expect(difference == expected)
        let alone = try description(query: ["api_key": "sesame"], headers: ["Cookie": "a=c"], of: request)
        #expect(alone == "  GET /books\n  ?api_key=***\n- Cookie: ***\n+ Cookie: *** (another)")
    }

    @Test func `JSON bodies are compared by value and shown line by line`() throws {
        let request = Wire.request("GET", "/books", body: #"{"title":"Tehanu","id":1.0,"tags":["a","b"]}"#)
        #expect(
            try description(
                body: .json(Data(#"{ "id": 1, "tags": ["a", "b"], "title": "Tehanu" }"#.utf8)), of: request) == nil)
        struct Book: Encodable {
            var id = 1
            var tags = ["a", "c"]
            var title = "Malafrena"
        }
        let expected = """
              GET /books
              
              {
                "id" : 1,
                "tags" : [
                  "a",
            -     "c"
            +     "b"
                ],
            -   "title" : "Malafrena"
            +   "title" : "Tehanu"
              }
            """
        let difference = try description(body: .json(encodable: Book()), of: request)
        #expect(difference == expected)
    }

    @Test func `a body that is not JSON is shown unchanged`() throws {
        let difference = try description(
            body: .json(Data("[1]".utf8)), of: Wire.request("GET", "/books", body: "oops"))
        #expect(difference == "  GET /books\n  \n- [\n-   1\n- ]\n+ oops")
        #expect(try description(body: .json(Data("1".utf8)), of: Wire.request("GET", "/books", body: "true")) != nil)
        #expect(try description(body: .json(Data("{".utf8)), of: Wire.request("GET", "/books", body: "{")) == nil)
    }

    @Test func `text bodies are compared including the last line end, and bytes as hexadecimal`() throws {
        let request = Wire.request("GET", "/books", body: "a\nb\n")
        #expect(try description(body: .text("a\nb\n"), of: request) == nil)
        #expect(try description(body: .text("a\nc\n"), of: request) == "  GET /books\n  \n  a\n- c\n+ b")
        let lineEnd = "  GET /books\n  \n- 00000000  61 0a 62\n+ 00000000  61 0a 62 0a"
        #expect(try description(body: .text("a\nb"), of: request) == lineEnd)
        let bytes = try description(body: .data(Data([0xFF, 0x00])), of: Wire.request("GET", "/books", body: "ab"))
        #expect(bytes == "  GET /books\n  \n- 00000000  ff 00\n+ 00000000  61 62")
        #expect(try description(body: .empty, of: Wire.request("GET", "/books")) == nil)
        #expect(try description(body: .empty, of: Wire.request("GET", "/books", body: "x")) == "  GET /books\n  \n+ x")
    }

    @Test func `a hexadecimal dump of many bytes is truncated`() {
        #expect(HexLines.lines(of: Data(count: 1 << 20)).count == 4_097)
        #expect(HexLines.lines(of: Data(0..<17)).last == "00000010  10")
        #expect(HexLines.lines(of: Data()) == [])
    }
}
