import ErrandTesting
import TestSupport
import Testing

@testable import Errand
@testable import ErrandResilience

struct `Cookie jar` {
    private func shop(_ path: String = "/") throws -> URL {
        try #require(URL(string: "https://shop.example.com\(path)"))
    }

    /// Sends a request through the jar to a server that responds with these cookies.
    ///
    /// - Returns: The `Cookie` field that the server received.
    private func send(
        _ jar: CookieJar, own: String? = nil, setting fields: [String] = [], path: String = "/"
    ) async throws -> String? {
        var request = URLRequest(url: try shop(path))
        request.setValue(own, forHTTPHeaderField: "Cookie")
        let seen = Recorder<String?>()
        let next = Next { request in
            seen.record(request.urlRequest.value(forHTTPHeaderField: "Cookie"))
            let headers = HeaderFields(fields.map { HeaderFields.Field("Set-Cookie", $0) })
            return DataResponse(statusCode: 200, headers: headers, data: Data(), url: request.urlRequest.url)
        }
        _ = try await jar.intercept(TransportRequest(request), next: next)
        return try #require(seen.elements.first)
    }

    @Test func `cookies of a response are sent with the next request`() async throws {
        let jar = CookieJar()
        #expect(try await send(jar, setting: ["a=1", "b=2; Path=/basket"]) == nil)
        #expect(try await send(jar) == "a=1")
        #expect(try await send(jar, path: "/basket") == "b=2; a=1")
    }

    @Test func `cookies of a request take precedence over those of the jar`() async throws {
        let jar = CookieJar()
        try jar.setCookie("a=jar", for: shop())
        try jar.setCookie("b=jar", for: shop())
        #expect(try await send(jar, own: "c=own;a = own") == "c=own;a = own; b=jar")
    }

    @Test func `a cookie is replaced by one with the same name, domain and path`() async throws {
        let jar = CookieJar()
        try jar.setCookie("a=1; Path=/x", for: shop())
        try jar.setCookie("a=2; path=/x; Max-Age=60", for: shop())
        try jar.setCookie("a=3; Path=/x; Domain=shop.example.com", for: shop())
        #expect(jar.cookies.map(\.value) == ["2", "3"])
    }

    @Test func `expired cookies are not sent`() async throws {
        let time = Locked(Date(timeIntervalSince1970: 1_800_000_000))
        let jar = CookieJar { time.withLock(\.self) }
        try jar.setCookie("a=1; Max-Age=60", for: shop())
        try jar.setCookie("b=1", for: shop())
        #expect(try await send(jar) == "a=1; b=1")
        time.withLock { $0 += 60 }
        #expect(try await send(jar) == "b=1")
        #expect(jar.cookies.map(\.name) == ["b"])
    }

    @Test func `a domain has at most 180 cookies, and those without Secure are removed first`() throws {
        let jar = CookieJar()
        for number in 1...180 { try jar.setCookie("c\(number)=1\(number > 1 ? "; Secure" : "")", for: shop()) }
        try jar.setCookie("new=1; Secure", for: shop())
        #expect(jar.cookies.count == 180)
        #expect(jar.cookies.first?.name == "c2")
        try jar.setCookie("deep=1; Secure; Path=/deep", for: shop())
        #expect(!jar.cookies.map(\.name).contains("c2"))
    }

    @Test func `a domain with too many cookies keeps those that were sent last`() throws {
        let jar = CookieJar()
        try jar.setCookie("kept=1; Path=/used; Secure", for: shop())
        for number in 1...179 { try jar.setCookie("c\(number)=1; Secure; Path=/other", for: shop()) }
        _ = jar.cookies(for: try shop("/used"))
        try jar.setCookie("new=1; Secure", for: shop())
        #expect(jar.cookies.count == 180)
        #expect(jar.cookies.prefix(2).map(\.name) == ["kept", "c2"])
        #expect(jar.cookies.last?.name == "new")
    }

    @Test func `a jar has at most 3,000 cookies`() throws {
        let jar = CookieJar()
        for domain in 0..<31 {
            let url = try #require(URL(string: "https://host\(domain).example.com/"))
            for number in 0..<100 { try jar.setCookie("c\(number)=1", for: url) }
        }
        #expect(jar.cookies.count <= 3000 && jar.cookies.count > 2800)
        #expect(jar.cookies.first?.domain == "host1.example.com")
    }

    @Test func `a site with too many cookies loses only its own cookies`() throws {
        let jar = CookieJar()
        try jar.setCookie("sid=1; Secure", for: shop())
        for host in 0..<40 {
            let url = try #require(URL(string: "https://h\(host).evil.example/"))
            for number in 0..<180 { try jar.setCookie("c\(number)=1; Secure", for: url) }
        }
        #expect(jar.cookies.count <= 3000)
        #expect(jar.cookies.first?.name == "sid")
    }

    @Test func `a jar that is listed twice and another jar send their cookies at each redirect`() async throws {
        let (jar, other) = (CookieJar(), CookieJar())
        let fields = Recorder<String?>()
        let stubs = RouteStubs()
        stubs.on(.get, "/*", times: .any) { request in
            fields.record(request.headers["Cookie"])
            switch request.path {
            case "/1": return .status(302).with(header: "Location", "/2").with(header: "Set-Cookie", "sid=2; Path=/")
            case "/2": return .status(302).with(header: "Location", "https://else.example.com/3")
            default: return .status(204)
            }
        }
        try jar.setCookie("sid=1; Path=/", for: shop())
        try other.setCookie("theme=dark; Path=/", for: shop())
        try other.setCookie("there=1; Path=/", for: try #require(URL(string: "https://else.example.com")))
        other.remove { $0.name == "none" }
        let request = APIBase()
        request.baseURL = try shop()
        request.path = "/1"
        request.interceptors = [jar, other, jar]
        try await stubs.run { _ = try await request.startRequest().value }
        #expect(fields.elements == ["sid=1; theme=dark", "sid=2; theme=dark", "there=1"])
    }

    @Test func `cookies of a redirect that cannot be followed are stored`() async throws {
        let jar = CookieJar()
        let stubs = RouteStubs()
        stubs.on(
            .get, "/", .status(302).with(header: "Location", "myapp://callback").with(header: "Set-Cookie", "sid=1"))
        let request = APIBase()
        request.baseURL = try shop()
        request.interceptors = [jar]
        await expectFailure(.transportFailed) { try await stubs.run { try await request.startRequest().value } }
        #expect(jar.cookies.map(\.name) == ["sid"])
    }

    @Test func `at most 180 cookies of a response are read`() async throws {
        let jar = CookieJar()
        _ = try await send(jar, setting: (0..<1000).map { "c\($0)=1" })
        #expect(jar.cookies.count == 180)
        #expect(jar.cookies.last?.name == "c179")
    }

    @Test func `the Cookie field has at most 8,190 bytes`() async throws {
        let jar = CookieJar()
        for name in ["a", "b", "c"] { try jar.setCookie("\(name)=\(String(repeating: "x", count: 4000))", for: shop()) }
        try jar.setCookie("d=1", for: shop())
        let field = try #require(try await send(jar))
        #expect(field.utf8.count <= 8190)
        #expect(field.hasPrefix("a=") && field.hasSuffix("; d=1") && !field.contains("c="))
    }

    @Test func `cookies can be removed by a condition or all at once`() throws {
        let jar = CookieJar()
        try jar.setCookie("session=1", for: shop())
        try jar.setCookie("theme=dark; Max-Age=60", for: shop())
        jar.remove { $0.expires == nil && jar.cookies.count == 2 }
        #expect(jar.cookies.map(\.name) == ["theme"])
        jar.removeAll()
        #expect(jar.cookies.isEmpty)
    }

    @Test func `the descriptions of a jar and a cookie contain no value`() throws {
        let jar = CookieJar()
        try jar.setCookie("id=s3cret; Domain=example.com", for: shop("/x/y"))
        let cookie = try #require(jar.cookies.first)
        var dumped = ""
        dump([cookie], to: &dumped)
        dump(jar, to: &dumped)
        let texts = ["\(jar)", String(reflecting: jar), "\(cookie)", String(reflecting: [cookie]), dumped]
        for text in texts { #expect(!text.contains("s3cret")) }
        #expect("\(cookie)" == "id of *.example.com/x")
    }

    @Test func `requests with different jars do not share a transfer`() async throws {
        let keys = Recorder<CoalescingKey?>()
        let next = Next { request in
            keys.record(CoalescingKey(request))
            return DataResponse(statusCode: 200, headers: [:], data: Data())
        }
        let request = TransportRequest(URLRequest(url: try shop()))
        let (one, other) = (CookieJar(), CookieJar())
        for jar in [one, one, other] { _ = try await jar.intercept(request, next: next) }
        #expect(keys.elements[0] != nil)
        #expect(keys.elements[0] == keys.elements[1])
        #expect(keys.elements[0] != keys.elements[2])
    }

    @Test func `a stubbed request sends and stores cookies`() async throws {
        let jar = CookieJar()
        let request = Probe(try shop(), URLSessionTransport())
        request.interceptors = [jar]
        request.dataTaskPipeline = .just(DataResponse(statusCode: 200, headers: ["Set-Cookie": "id=1"], data: Data()))
        _ = try await request.start().value
        #expect(jar.cookies.map(\.domain) == ["shop.example.com"])
    }

    @Test func `an invalid decoded cookie is rejected`() throws {
        let valid = try #require(
            try { () throws -> CookieJar.Cookie? in
                let jar = CookieJar()
                try jar.setCookie("a=1; Max-Age=60; SameSite=None", for: shop())
                return jar.cookies.first
            }())
        let document = try JSONEncoder().encode(valid)
        #expect(try JSONDecoder().decode(CookieJar.Cookie.self, from: document) == valid)
        let text = String(decoding: document, as: UTF8.self)
        for (old, new) in [
            (#""value":"1""#, #""value":"1\r\nX: y""#), (#""name":"a""#, #""name":"""#),
            (#""name":"a""#, #""name":"a;b""#), (#""path":"\/""#, #""path":"x""#),
        ] {
            let changed = text.replacingOccurrences(of: old, with: new)
            #expect(changed != text)
            #expect(throws: DecodingError.self) {
                try JSONDecoder().decode(CookieJar.Cookie.self, from: Data(changed.utf8))
            }
        }
    }
}
