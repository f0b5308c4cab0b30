import Errand
import ErrandMockServer
import ErrandTesting
import ErrandTestingTraits
import TestSupport
import Testing

/// The wall holds for the whole process, so these tests run in a process without other tests, as do those of other
/// suites that need it.
struct `The tests with a network wall` {
    @Test(.enabled(if: !WallProcess.isCurrent), .hangGuard) func `they pass in their own process`() async throws {
        var environment = ProcessInfo.processInfo.environment
        environment[WallProcess.name] = "1"
        let program = URL(fileURLWithPath: CommandLine.arguments[0])
        let arguments = ["--testing-library", "swift-testing", "--filter", "network.wall"]
        let process = try ChildProcess(program, arguments, environment: environment)
        let (end, output, errors) = try await process.result()
        #expect(end == .exit(0), "\(output)\(errors)")
        for suite in ["The network wall", "A WebSocket in a test"] {
            #expect((output + errors).contains("Suite \"\(suite)\" passed"), "\(output)\(errors)")
        }
    }
}

@Suite(.serialized, .hangGuard, .enabled(if: WallProcess.isCurrent), .networkWall) struct `The network wall` {
    private let proxy: MockServer
    /// A transport whose requests all reach the proxy.
    private let transport: CurlTransport

    init() throws {
        proxy = try MockServer()
        proxy.onAny { _ in .status(200) }
        var configuration = CurlConfiguration()
        configuration.proxy = .server(proxy.url)
        transport = CurlTransport(configuration)
    }

    private func send(_ url: String, change: (AnyRequest) -> Void = { _ in }) async throws -> DataResponse {
        let request = AnyRequest(try #require(URL(string: url)), "/books") { $0.session = transport }
        change(request)
        return try await request.start().value
    }

    @Test func `a request without a stub fails and is not sent`() async throws {
        let error = try #require(await expectFailure(.notStubbed) { try await send("http://api.example.com") })
        #expect(error.description.hasPrefix("GET http://api.example.com/books: notStubbed: the network wall is on"))
        await expectFailure(.notStubbed) {
            try await send("http://api.example.com") { $0.session = URLSessionTransport() }
        }
        #expect(proxy.requests.isEmpty)
    }

    @Test func `a detached task does not reach the network`() async throws {
        let stubs = RouteStubs()
        stubs.on(.get, "/books", .status(200))
        try await stubs.run { () async throws in
            let detached = Task.detached { try await send("http://api.example.com") }
            await expectFailure(.notStubbed) { try await detached.value }
            #expect(try await send("http://api.example.com").statusCode == 200)
        }
        #expect(proxy.requests.isEmpty)
    }

    @Test func `a request with its own stub or a custom transport is not stopped`() async throws {
        let stubbed = try await send("http://api.example.com") { request in
            request.dataTaskPipeline = request.stubResponse(statusCode: 204)
        }
        #expect(stubbed.statusCode == 204)
        let custom = RecordingTransport()
        #expect(try await send("http://api.example.com") { $0.session = custom }.statusCode == 200)
    }

    @Test(arguments: [
        "127.0.0.1", "[::1]", "localhost", "LOCALHOST", "a.localhost", "127.1.2.3", "no.invalid", "[::1%25lo]",
    ])
    func `requests to this machine are sent`(_ host: String) async throws {
        #expect(try await send("http://\(host):8080").statusCode == 200)
        #expect(proxy.requests.count == 1)
    }

    @Test(arguments: ["127.0.0.1.example.com", "localhost.example.com", "[::2]", "128.0.0.1", "127.example.com"])
    func `requests to other machines are not sent`(_ host: String) async throws {
        await expectFailure(.notStubbed) { try await send("http://\(host):8080") }
        #expect(proxy.requests.isEmpty)
    }

    @Test func `a redirect to another machine is not followed`() async throws {
        proxy.onAny { _ in .status(302).with(location: "http://other.example.com/") }
        let error = await expectFailure(.notStubbed) { try await send("http://localhost") }
        #expect(error?.url?.host() == "other.example.com")
        let ignoring = try await send("http://localhost") { $0.redirectPolicy = .ignore }
        #expect(ignoring.statusCode == 302)
        #expect(proxy.requests.count == 2)
    }
}

extension MockResponse {
    fileprivate func with(location: String) -> MockResponse {
        var response = self
        response.headers["Location"] = location
        return response
    }
}
