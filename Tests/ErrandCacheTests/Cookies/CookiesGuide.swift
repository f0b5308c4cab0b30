import Errand
import ErrandTesting
import TestSupport
import Testing

/// The samples of the guide to cookies.
class MarketAPI: APIBase {
    init(cookies: CookieJar) {
        super.init()
        baseURL = URL(string: "https://market.example.com")
        interceptors = [cookies]
    }
}

final class SignInRequest: MarketAPI, Request {
    init(user: String, password: String, cookies: CookieJar) {
        super.init(cookies: cookies)
        method = .post
        path = "/sign-in"
        body = .urlEncoded(["user": user, "password": password])
    }

    func start() -> Pipeline<DataResponse, any Error> {
        sendRequest().validateStatusCode(in: 200..<300)
    }
}

final class BasketRequest: MarketAPI, Request {
    override init(cookies: CookieJar) {
        super.init(cookies: cookies)
        path = "/basket"
    }

    func start() -> Pipeline<[String], any Error> {
        sendRequest().validateStatusCode(in: 200..<300).decode([String].self)
    }
}

struct `The page on cookies` {
    private let password = "secret"

    @Test func `the guide: a user signs in, and the next request sends the cookies`() async throws {
        let stubs = RouteStubs()
        stubs.on(
            .post, "/sign-in",
            .status(303).with(header: "Location", "/welcome").with(header: "Set-Cookie", "sid=1; Secure"))
        stubs.on(.get, "/welcome", .status(204))
        stubs.on(.get, "/basket") { try .json(encodable: [$0.headers["Cookie"]]) }
        try await stubs.run {
            let cookies = CookieJar()
            _ = try await SignInRequest(user: "ada", password: password, cookies: cookies).start().value
            let basket = try await BasketRequest(cookies: cookies).start().value
            #expect(basket == ["sid=1"])
        }
    }

    @Test func `the guide: cookies are stored in a file`() async throws {
        let file = FileManager.default.temporaryDirectory.appendingPathComponent("\(UUID().uuidString)/cookies.json")
        defer { try? FileManager.default.removeItem(at: file.deletingLastPathComponent()) }
        let url = try #require(URL(string: "https://market.example.com"))
        do {
            let cookies = try CookieJar(file: file)
            try cookies.setCookie("theme=dark; Max-Age=86400", for: url)
            try await cookies.flush()
        }
        #expect(try CookieJar(file: file).cookies.map(\.name) == ["theme"])
    }

    @Test func `the guide: cookies are read and changed`() throws {
        let cookies = CookieJar()
        let url = try #require(URL(string: "https://market.example.com"))
        try cookies.setCookie("sid=1; Secure; HttpOnly", for: url)
        var printed: [String] = []
        func print(_ cookie: CookieJar.Cookie) { printed.append("\(cookie)") }
        for cookie in cookies.cookies(for: url) {
            print(cookie)  // sid of market.example.com/
        }
        try cookies.setCookie("theme=dark; Max-Age=86400", for: url)
        cookies.remove { $0.expires == nil }  // ends the session
        #expect(printed == ["sid of market.example.com/"])
        #expect(cookies.cookies.map(\.name) == ["theme"])
    }

    @Test func `the guide: additional public suffixes are configured`() throws {
        let cookies = CookieJar(publicSuffixes: ["customers.example.com"])
        let url = try #require(URL(string: "https://a.customers.example.com"))
        #expect(throws: ErrandError.self) { try cookies.setCookie("a=1; Domain=customers.example.com", for: url) }
    }

    @Test func `the guide: a jar is filled from stubs`() async throws {
        let cookies = CookieJar()
        let request = SignInRequest(user: "ada", password: password, cookies: cookies)
        request.dataTaskPipeline = request.stubResponse(headers: ["Set-Cookie": "sid=1; Secure"])
        _ = try await request.start().value
        #expect(cookies.cookies.map(\.name) == ["sid"])
    }

    @Test func `the guide: a jar is filled with setCookie`() throws {
        let url = try #require(URL(string: "https://market.example.com"))
        let cookies = CookieJar()
        try cookies.setCookie("sid=1; Secure", for: url)
        #expect(cookies.cookies(for: url).map(\.value) == ["1"])
    }
}
