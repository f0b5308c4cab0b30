import Errand
import ErrandMockServer
import ErrandTesting
import TestSupport
import Testing

@Suite(.hangGuard) struct `Contract: authentication` {
    @Test(arguments: TransportUnderTest.allCases)
    func `credentials are not sent to another origin after a redirect`(_ transport: TransportUnderTest) async throws {
        let (server, other) = (try MockServer(), try MockServer())
        other.onAny { _ in .status(200) }
        let away = other.url.absoluteString + "/to"
        server.onAny { request in
            switch request.path {
            case "/away": .status(307).with(header: "Location", away)
            case "/here": .status(307).with(header: "Location", "/to")
            default: .status(200)
            }
        }
        let session = transport.make()
        let interceptors: [any Interceptor] = [
            BasicAuthentication(user: "ursula", password: "hunter2"),
            APIKeyAuthentication("hunter2", in: .header("Key")),
            APIKeyAuthentication("hunter2", in: .query("key")), APIKeyAuthentication("hunter2", in: .cookie("key")),
        ]
        for path in ["/away", "/here"] {
            let request = Probe(server.url, session, path: path)
            request.interceptors = interceptors
            #expect(try await request.start().value.statusCode == 200)
        }
        #expect(server.requests.map(\.target) == ["/away?key=hunter2", "/here?key=hunter2", "/to"])
        for request in server.requests {
            #expect(request.headers["Authorization"]?.hasPrefix("Basic ") == true)
            #expect(request.headers["Key"] == "hunter2")
            #expect(request.headers["Cookie"] == "key=hunter2")
        }
        let landed = try #require(other.requests.first)
        #expect(landed.target == "/to")
        #expect(landed.headers["Authorization"] == nil)
        #expect(landed.headers["Key"] == nil)
        #expect(landed.headers["Cookie"] == nil)
    }

    // Over `URLSession`, Foundation follows the redirect, and sends empty credentials on Linux.
    @Test func `an empty user in the URL of a redirect sends no credentials`() async throws {
        let transport = TransportUnderTest.curl
        let server = try MockServer()
        let host = "127.0.0.1:\(server.url.port ?? 0)"
        server.onAny { request in
            switch request.path {
            case "/user": .status(307).with(header: "Location", "http://@\(host)/to")
            case "/both": .status(307).with(header: "Location", "http://:@\(host)/to")
            default: .status(200)
            }
        }
        for path in ["/user", "/both"] {
            let request = Probe(server.url, transport.make(), path: path)
            #expect(try await request.start().value.statusCode == 200)
        }
        #expect(server.requests.map(\.path) == ["/user", "/to", "/both", "/to"])
        #expect(server.requests.allSatisfy { $0.headers["Authorization"] == nil })
    }

    @Test(arguments: TransportUnderTest.allCases)
    func `concurrent 401 responses cause one token refresh`(_ transport: TransportUnderTest) async throws {
        let server = try MockServer()
        let refusals = Gate()
        server.onAny { request in
            guard request.headers["Authorization"] != "Bearer new" else { return .text("yes") }
            try await refusals.pass()
            return .text("no", statusCode: 401).with(header: "WWW-Authenticate", "Bearer")
        }
        let session = transport.make()
        let refreshes = Recorder<AccessToken?>()
        let authentication = TokenAuthentication(token: AccessToken("old")) { old in
            refreshes.record(old)
            return AccessToken("new")
        }
        let bodies = try await withThrowingTaskGroup(of: Data.self) { group in
            for _ in 0..<20 {
                let request = Probe(server.url, session)
                request.interceptors = [authentication]
                let pipeline = request.start()
                group.addTask { try await pipeline.value.data }
            }
            // The number of requests that the transport sends at once.
            try await refusals.waitForArrivals(5)
            refusals.open()
            return try await group.reduce(into: []) { $0.append($1) }
        }
        #expect(bodies == Array(repeating: Data("yes".utf8), count: 20))
        #expect(refreshes.elements.map { $0?.value } == ["old"])
    }
}
