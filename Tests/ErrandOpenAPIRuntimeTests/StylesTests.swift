import ErrandMockServer
import ErrandOpenAPIRuntime
import ErrandTesting
import TestSupport
import Testing

/// What a client sends for each style of OpenAPI's tables, as a server receives it. Members of objects are sorted by
/// name.
@Suite struct StylesTests {
    struct Row: Sendable, CustomTestStringConvertible {
        /// The request target that the server receives.
        var target: String
        /// The header fields or the body that it receives.
        var fields: [String: String] = [:]
        /// A header field that it does not receive.
        var absent: String?
        var body: String?
        let send: @Sendable (APIService<any Error>) async throws -> Void

        var testDescription: String { target + fields.map { " \($0): \($1)" }.joined() + (body.map { " \($0)" } ?? "") }

        init(
            _ target: String, fields: [String: String] = [:], without absent: String? = nil, body: String? = nil,
            _ request: @escaping @Sendable () -> some Request<Void, any Error> & SendableMetatype
        ) {
            (self.target, self.fields, self.absent, self.body) = (target, fields, absent, body)
            send = { service in try await request().schedule(with: service).value }
        }
    }

    typealias API = StylesAPI

    private static let colors = ["blue", "black", "brown"]
    private static let odd = ["a b", "c,d", "é/&"]
    private static let color = Color(r: 100, g: 200, b: 150)

    @Test(arguments: paths + queries + reserved + others + bodies)
    func `a style is written as in the specification`(_ row: Row) async throws {
        let server = try MockServer()
        for method in [RequestMethod.get, .post, .put, .patch] { server.on(method, "*") { _ in .status(204) } }
        try await row.send(.styles(API.Server(BaseURL(server.url))))
        let sent = try await server.takeRequest()
        #expect(sent.target == row.target)
        for (name, value) in row.fields { #expect(sent.headers[name] == value) }
        if let name = row.absent { #expect(sent.headers[name] == nil) }
        if let body = row.body { #expect(sent.text == body) }
    }

    // MARK: Path

    private static let paths: [Row] = [
        Row("/simple/blue/blue,black,brown/B,150,G,200,R,100") { API.SimplePath(s: "blue", a: colors, o: color) },
        Row("/simple/a%20b/a%20b,c%2Cd,%C3%A9%2F%26/R,1") { API.SimplePath(s: "a b", a: odd, o: Color(r: 1)) },
        Row("/simple/%2F/x/G,0") { API.SimplePath(s: "/", a: ["x"], o: Color(g: 0)) },
        Row("/simpleExploded/blue/blue,black,brown/B=150,G=200,R=100") {
            API.SimpleExplodedPath(s: "blue", a: colors, o: color)
        },
        Row("/simpleExploded/a%20b/a%20b,c%2Cd,%C3%A9%2F%26/R=1") {
            API.SimpleExplodedPath(s: "a b", a: odd, o: Color(r: 1))
        },
        Row("/simpleExploded/%2F/x/G=0") { API.SimpleExplodedPath(s: "/", a: ["x"], o: Color(g: 0)) },
        Row("/label/.blue/.blue,black,brown/.B,150,G,200,R,100") { API.LabelPath(s: "blue", a: colors, o: color) },
        Row("/label/.a%20b/.a%20b,c%2Cd,%C3%A9%2F%26/.R,1") { API.LabelPath(s: "a b", a: odd, o: Color(r: 1)) },
        Row("/label/.%2F/.x/.G,0") { API.LabelPath(s: "/", a: ["x"], o: Color(g: 0)) },
        Row("/labelExploded/.blue/.blue.black.brown/.B=150.G=200.R=100") {
            API.LabelExplodedPath(s: "blue", a: colors, o: color)
        },
        Row("/labelExploded/.a%20b/.a%20b.c%2Cd.%C3%A9%2F%26/.R=1") {
            API.LabelExplodedPath(s: "a b", a: odd, o: Color(r: 1))
        },
        Row("/labelExploded/.%2F/.x/.G=0") { API.LabelExplodedPath(s: "/", a: ["x"], o: Color(g: 0)) },
        Row("/matrix/;s=blue/;a=blue,black,brown/;o=B,150,G,200,R,100") {
            API.MatrixPath(s: "blue", a: colors, o: color)
        },
        Row("/matrix/;s/;a=a%20b,c%2Cd,%C3%A9%2F%26/;o=R,1") { API.MatrixPath(s: "", a: odd, o: Color(r: 1)) },
        Row("/matrix/;s=%2F/;a=x/;o=G,0") { API.MatrixPath(s: "/", a: ["x"], o: Color(g: 0)) },
        Row("/matrixExploded/;s=blue/;a=blue;a=black;a=brown/;B=150;G=200;R=100") {
            API.MatrixExplodedPath(s: "blue", a: colors, o: color)
        },
        Row("/matrixExploded/;s/;a=a%20b;a=c%2Cd;a=%C3%A9%2F%26/;R=1") {
            API.MatrixExplodedPath(s: "", a: odd, o: Color(r: 1))
        },
        Row("/matrixExploded/;s=%2F/;a=x/;G=0") { API.MatrixExplodedPath(s: "/", a: ["x"], o: Color(g: 0)) },
    ]

    // MARK: Query

    private static let queries: [Row] = [
        Row("/form?s=") { API.FormQuery(s: "") },
        Row("/form?s=blue") { API.FormQuery(s: "blue") },
        Row("/form?s=a%20b%26c%3Dd%2B") { API.FormQuery(s: "a b&c=d+") },
        Row("/form?a=blue,black,brown") { API.FormQuery(a: colors) },
        Row("/form?a=a%20b,c%2Cd,%C3%A9%2F%26") { API.FormQuery(a: odd) },
        Row("/form?o=B,150,G,200,R,100") { API.FormQuery(o: color) },
        Row("/form") { API.FormQuery() },
        Row("/form") { API.FormQuery(a: []) },
        Row("/form") { API.FormQuery(o: Color()) },
        Row("/form?a=,x") { API.FormQuery(a: ["", "x"]) },
        Row("/form?s=x&a=y&o=R,1") { API.FormQuery(s: "x", a: ["y"], o: Color(r: 1)) },
        Row("/formExploded?s=") { API.FormExplodedQuery(s: "") },
        Row("/formExploded?s=blue") { API.FormExplodedQuery(s: "blue") },
        Row("/formExploded?a=blue&a=black&a=brown") { API.FormExplodedQuery(a: colors) },
        Row("/formExploded?a=a%20b&a=c%2Cd&a=%C3%A9%2F%26") { API.FormExplodedQuery(a: odd) },
        Row("/formExploded?B=150&G=200&R=100") { API.FormExplodedQuery(o: color) },
        Row("/formExploded?s=x&a=y&R=1") { API.FormExplodedQuery(s: "x", a: ["y"], o: Color(r: 1)) },
        Row("/formExploded") { API.FormExplodedQuery(a: []) },
        Row("/formExploded") { API.FormExplodedQuery(o: Color()) },
        Row("/formExploded?a=&a=x") { API.FormExplodedQuery(a: ["", "x"]) },
        Row("/spaceDelimited?s=blue") { API.SpaceDelimitedQuery(s: "blue") },
        Row("/spaceDelimited?a=blue%20black%20brown") { API.SpaceDelimitedQuery(a: colors) },
        Row("/spaceDelimited?a=x") { API.SpaceDelimitedQuery(a: ["x"]) },
        Row("/spaceDelimited?o=B%20150%20G%20200%20R%20100") { API.SpaceDelimitedQuery(o: color) },
        Row("/spaceDelimited") { API.SpaceDelimitedQuery(a: []) },
        Row("/spaceDelimited") { API.SpaceDelimitedQuery(o: Color()) },
        Row("/spaceDelimited?a=%2F%26%20c%2Cd") { API.SpaceDelimitedQuery(a: ["/&", "c,d"]) },
        Row("/spaceDelimitedExploded?a=blue&a=black&a=brown") { API.SpaceDelimitedExplodedQuery(a: colors) },
        Row("/spaceDelimitedExploded?B=150&G=200&R=100") { API.SpaceDelimitedExplodedQuery(o: color) },
        Row("/spaceDelimitedExploded?s=blue") { API.SpaceDelimitedExplodedQuery(s: "blue") },
        Row("/pipeDelimited?s=blue") { API.PipeDelimitedQuery(s: "blue") },
        Row("/pipeDelimited?a=blue%7Cblack%7Cbrown") { API.PipeDelimitedQuery(a: colors) },
        Row("/pipeDelimited?a=x") { API.PipeDelimitedQuery(a: ["x"]) },
        Row("/pipeDelimited?o=B%7C150%7CG%7C200%7CR%7C100") { API.PipeDelimitedQuery(o: color) },
        Row("/pipeDelimited") { API.PipeDelimitedQuery(a: []) },
        Row("/pipeDelimited?a=a%20b%7Cc%2Cd%7C%C3%A9%2F%26") { API.PipeDelimitedQuery(a: odd) },
        Row("/pipeDelimitedExploded?a=blue&a=black&a=brown") { API.PipeDelimitedExplodedQuery(a: colors) },
        Row("/pipeDelimitedExploded?B=150&G=200&R=100") { API.PipeDelimitedExplodedQuery(o: color) },
        Row("/pipeDelimitedExploded?s=blue") { API.PipeDelimitedExplodedQuery(s: "blue") },
        Row("/deepObject?o%5BB%5D=150&o%5BG%5D=200&o%5BR%5D=100") { API.DeepObjectQuery(o: color) },
        Row("/deepObject?o%5BR%5D=1") { API.DeepObjectQuery(o: Color(r: 1)) },
        Row("/deepObject?a%5B%5D=blue&a%5B%5D=black&a%5B%5D=brown") { API.DeepObjectQuery(a: colors) },
        Row("/deepObject?s=blue") { API.DeepObjectQuery(s: "blue") },
        Row("/deepObject") { API.DeepObjectQuery(o: Color()) },
        Row("/deepObject?a%5B%5D=a%20b%26") { API.DeepObjectQuery(a: ["a b&"]) },
        Row("/deepObject?s=x&a%5B%5D=y&o%5BR%5D=1") { API.DeepObjectQuery(s: "x", a: ["y"], o: Color(r: 1)) },
    ]

    private static let reserved: [Row] = [
        Row("/reserved?s=a/b?c:d@e!f$g'h(i)*,;") { API.ReservedQuery(s: "a/b?c:d@e!f$g'h(i)*,;") },
        Row("/reserved?s=a%26b%3Dc%2Bd%23%5B%5D%20") { API.ReservedQuery(s: "a&b=c+d#[] ") },
        Row("/reserved?s=%2F") { API.ReservedQuery(s: "%2F") },
        Row("/reserved?s=") { API.ReservedQuery(s: "") },
        Row("/reserved?s=%C3%A9%22%7C") { API.ReservedQuery(s: "é\"|") },
        Row("/content?o=%7B%22B%22%3A150%7D") { API.ContentQuery(o: Color(b: 150)) },
        Row("/content") { API.ContentQuery() },
        Row("/content?o=%7B%7D") { API.ContentQuery(o: Color()) },
    ]

    // MARK: Header fields and cookies

    private static let others: [Row] = [
        Row("/header", fields: ["X-S": "blue"]) { API.Header(xS: "blue") },
        Row("/header", fields: ["X-A": "blue,black,brown"]) { API.Header(xA: colors) },
        Row("/header", fields: ["X-O": "B,150,G,200,R,100"]) { API.Header(xO: color) },
        Row("/header", fields: ["X-S": "x", "X-A": "y", "X-O": "R,1"]) {
            API.Header(xS: "x", xA: ["y"], xO: Color(r: 1))
        },
        Row("/header", without: "X-A") { API.Header(xA: []) },
        Row("/header", without: "X-O") { API.Header(xO: Color()) },
        Row("/headerExploded", fields: ["X-S": "a b"]) { API.HeaderExploded(xS: "a b") },
        Row("/headerExploded", fields: ["X-A": "blue,black,brown"]) { API.HeaderExploded(xA: colors) },
        Row("/headerExploded", fields: ["X-O": "B=150,G=200,R=100"]) { API.HeaderExploded(xO: color) },
        Row("/formCookie", fields: ["Cookie": "s=blue"]) { API.FormCookie(s: "blue") },
        Row("/formCookie", fields: ["Cookie": "s=a%20b%3B"]) { API.FormCookie(s: "a b;") },
        Row("/formCookie", fields: ["Cookie": "s="]) { API.FormCookie(s: "") },
        Row("/formCookie", fields: ["Cookie": "a=blue,black,brown"]) { API.FormCookie(a: colors) },
        Row("/formCookie", fields: ["Cookie": "a=a%20b,c%2Cd,%C3%A9%2F%26"]) { API.FormCookie(a: odd) },
        Row("/formCookie", without: "Cookie") { API.FormCookie(a: []) },
        Row("/formCookie", without: "Cookie") { API.FormCookie(o: Color()) },
        Row("/formCookie", fields: ["Cookie": "o=B,150,G,200,R,100"]) { API.FormCookie(o: color) },
        Row("/formCookie", fields: ["Cookie": "s=x; a=y; o=R,1"]) { API.FormCookie(s: "x", a: ["y"], o: Color(r: 1)) },
        Row("/formCookieExploded", fields: ["Cookie": "s=blue"]) { API.FormCookieExploded(s: "blue") },
        Row("/formCookieExploded", fields: ["Cookie": "a=blue&a=black&a=brown"]) { API.FormCookieExploded(a: colors) },
        Row("/formCookieExploded", fields: ["Cookie": "B=150&G=200&R=100"]) { API.FormCookieExploded(o: color) },
        Row("/formCookieExploded", fields: ["Cookie": "s=x; a=y; R=1"]) {
            API.FormCookieExploded(s: "x", a: ["y"], o: Color(r: 1))
        },
        Row("/formCookieExploded", without: "Cookie") { API.FormCookieExploded(a: []) },
        Row("/cookieCookie", fields: ["Cookie": "s=blue"]) { API.CookieCookie(s: "blue") },
        Row("/cookieCookie", fields: ["Cookie": "a=blue,black,brown"]) { API.CookieCookie(a: colors) },
        Row("/cookieCookie", fields: ["Cookie": "o=B,150,G,200,R,100"]) { API.CookieCookie(o: color) },
        Row("/cookieCookieExploded", fields: ["Cookie": "a=blue; a=black; a=brown"]) {
            API.CookieCookieExploded(a: colors)
        },
        Row("/cookieCookieExploded", fields: ["Cookie": "s=x; a=y; R=1"]) {
            API.CookieCookieExploded(s: "x", a: ["y"], o: Color(r: 1))
        },
        Row("/cookieCookieExploded", fields: ["Cookie": "B=150; G=200; R=100"]) { API.CookieCookieExploded(o: color) },
    ]

    // MARK: Bodies

    private static let json = ["Content-Type": "application/json"]
    private static let form = ["Content-Type": "application/x-www-form-urlencoded"]

    private static let bodies: [Row] = [
        Row("/json", fields: json, body: "{}") { API.JSONBody(body: Fields()) },
        Row("/json", fields: json, body: #"{"s":"a b"}"#) { API.JSONBody(body: Fields(s: "a b")) },
        Row("/json", fields: json, body: #"{"n":1.5}"#) { API.JSONBody(body: Fields(n: 1.5)) },
        Row("/json", fields: json, body: #"{"a":["x","y"]}"#) { API.JSONBody(body: Fields(a: ["x", "y"])) },
        Row("/json", fields: json, body: #"{"o":{"R":1}}"#) { API.JSONBody(body: Fields(o: Color(r: 1))) },
        Row("/urlencoded", fields: form, body: "s=a+b%26") { API.FormBody(body: Fields(s: "a b&")) },
        Row("/urlencoded", fields: form, body: "s=%C3%A9%2B%3D") { API.FormBody(body: Fields(s: "é+=")) },
        Row("/urlencoded", fields: form, body: "s=") { API.FormBody(body: Fields(s: "")) },
        Row("/urlencoded", fields: form, body: "n=1.5") { API.FormBody(body: Fields(n: 1.5)) },
        Row("/urlencoded", fields: form, body: "b=true") { API.FormBody(body: Fields(b: true)) },
        Row("/urlencoded", fields: form, body: "d=2026-11-26") {
            API.FormBody(body: Fields(d: CalendarDate("2026-11-26")))
        },
        Row("/urlencoded", fields: form, body: "a=blue&a=black&a=brown") { API.FormBody(body: Fields(a: colors)) },
        Row("/urlencoded", fields: form, body: "o=%7B%22B%22%3A150%7D") {
            API.FormBody(body: Fields(o: Color(b: 150)))
        },
        Row("/form-styles", fields: form, body: "commas=blue,black,brown") {
            API.StyledFormBody(body: StyledFields(commas: colors))
        },
        Row("/form-styles", fields: form, body: "spaces=blue%20black%20brown") {
            API.StyledFormBody(body: StyledFields(spaces: colors))
        },
        Row("/form-styles", fields: form, body: "pipes=blue%7Cblack%7Cbrown") {
            API.StyledFormBody(body: StyledFields(pipes: colors))
        },
        Row("/form-styles", fields: form, body: "deep%5BG%5D=200&deep%5BR%5D=100") {
            API.StyledFormBody(body: StyledFields(deep: Color(r: 100, g: 200)))
        },
        Row("/form-styles", fields: form, body: "commas=a%20b,c%2Cd,%C3%A9%2F%26&pipes=x%7Cy") {
            API.StyledFormBody(body: StyledFields(commas: odd, pipes: ["x", "y"]))
        },
        Row("/form-styles", fields: form, body: "plain=blue&plain=black&plain=brown") {
            API.StyledFormBody(body: StyledFields(plain: colors))
        },
        Row("/form-styles", fields: form, body: "json=%7B%22R%22%3A1%7D") {
            API.StyledFormBody(body: StyledFields(json: Color(r: 1)))
        },
        Row("/text", fields: ["Content-Type": "text/plain; charset=utf-8"], body: "é") { API.TextBody(body: "é") },
        Row("/text", body: "a=b&c") { API.TextBody(body: "a=b&c") },
        Row("/binary", fields: ["Content-Type": "application/octet-stream"], body: "\0\u{1}") {
            API.BinaryBody(body: .data(Data([0, 1])))
        },
        Row("/binary", fields: ["Content-Type": "image/png"], body: "x") {
            API.BinaryBody(body: .data(Data("x".utf8), type: "image/png"))
        },
        Row("/merge", fields: ["Content-Type": "application/merge-patch+json"], body: #"{"R":1}"#) {
            API.MergeBody(body: Color(r: 1))
        },
    ]

    @Test(arguments: [
        (API.Part.file, "name=\"file\"; filename=\"file\"\r\nContent-Type: image/png\r\n\r\nx\r\n"),
        (.files, "name=\"files\"; filename=\"file\"\r\nContent-Type: application/octet-stream\r\n\r\ny\r\n"),
        (.files, "name=\"files\"; filename=\"z.bin\"\r\nContent-Type: application/octet-stream\r\n\r\nz\r\n"),
        (.text, "name=\"s\"\r\n"), (.text, "\r\n\r\na b\r\n"), (.number, "name=\"n\"\r\n"), (.number, "\r\n\r\n7\r\n"),
        (.array, "\r\n\r\nblue\r\n"), (.array, "\r\n\r\nblack\r\n"),
        (.object, "name=\"o\"\r\nContent-Type: application/json\r\n\r\n{\"R\":1}\r\n"),
    ])
    func `a part of a form is written as in the specification`(_ part: API.Part, _ text: String) async throws {
        let server = try MockServer()
        server.on(.post, "*") { _ in .status(204) }
        let service = APIService.styles(API.Server(BaseURL(server.url)))
        try await part.request.schedule(with: service).value
        let sent = try await server.takeRequest()
        #expect(sent.headers["Content-Type"]?.hasPrefix("multipart/form-data; boundary=") == true)
        #expect(String(decoding: sent.body, as: UTF8.self).contains(text))
        #expect(sent.body.count { $0 == UInt8(ascii: "\n") } > 4)
    }
}

extension StylesAPI {
    /// A part of a form that is sent beside the file.
    enum Part: String, Sendable {
        case file, files, text, number, array, object

        var request: MultipartBody {
            let file = Upload.data(Data("x".utf8))
            switch self {
            case .file: return MultipartBody(file: file)
            case .files:
                let others = [Upload.data(Data("y".utf8)), .data(Data("z".utf8), fileName: "z.bin")]
                return MultipartBody(file: file, files: others)
            case .text: return MultipartBody(file: file, s: "a b")
            case .number: return MultipartBody(file: file, n: 7)
            case .array: return MultipartBody(file: file, a: ["blue", "black"])
            case .object: return MultipartBody(file: file, o: Color(r: 1))
            }
        }
    }
}

/// A parameter whose value has no JSON text: a number that is not finite.
@Suite struct RefusedParameterTests {
    enum Place: CaseIterable { case header, jsonHeader, cookie, query, jsonQuery, path, labelPath }

    private final class Measure: APIBase, Request {
        init(_ place: Place) {
            super.init()
            baseURL = URL(string: "https://example.com")
            let value = [Double.nan]
            switch place {
            case .header: headers.append("X-A", encoding: value)
            case .jsonHeader: headers.append("X-A", json: value)
            case .cookie: headers.append(cookie: "a", encoding: value)
            case .query: query.append("a", encoding: value)
            case .jsonQuery: query.append("a", json: value)
            case .path: path = "/a/\(encoding: value)"
            case .labelPath: path = "/a/\(encoding: value, style: .label)"
            }
        }

        func start() -> Pipeline<Void, any Error> { sendRequest().decodeVoid() }
    }

    @Test(arguments: Place.allCases)
    func `a parameter that cannot be encoded fails its request before anything is sent`(_ place: Place) async {
        let request = Measure(place)
        request.dataTaskPipeline = request.stubResponse(statusCode: 204)
        let code: ErrandError.Code =
            switch place {
            case .header, .jsonHeader, .cookie: .invalidHeaderField
            case .query, .jsonQuery, .path, .labelPath: .invalidURL
            }
        await expectFailure(code) { try await request.start().value }
    }
}
