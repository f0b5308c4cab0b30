import Errand
import ErrandTesting
import Testing

struct `The end of a test with stubs` {
    let stubs = RouteStubs()

    /// The first problem of a run, which must have one.
    private func problem(of body: () async throws -> Void) async -> String {
        let failure = await thrown(StubFailure.self) { try await stubs.run(body) }
        return failure?.problems.first?.message ?? "none"
    }

    @Test func `an unused stub fails the run with its description and location`() async throws {
        stubs.on(.get, "/v1/volumes/:id", where: .query("page"), .status(200))
        let line = #line - 1
        let problem = await problem {}
        #expect(
            problem
                == "GET /v1/volumes/:id where the query has \"page\" (RouteStubsEndTests.swift:\(line)) was not used")
    }

    @Test func `a stub used less often than required fails the run`() async throws {
        stubs.on(.get, "/v1/volumes", .json("[]"), times: .exactly(2))
        let problem = await problem { _ = try await VolumesRequest().start().value }
        #expect(problem.hasSuffix(" was used once, not 2 times"))
    }

    @Test func `a partly used list of responses fails the run`() async throws {
        stubs.on(.get, "/v1/volumes", inTurn: [.json("[]"), .status(503)])
        let problem = await problem { _ = try await VolumesRequest().start().value }
        #expect(problem.hasSuffix(" was used once, not 2 times"))
    }

    @Test func `an unused optional stub does not fail the run`() async throws {
        stubs.on(.get, "/v1/volumes", .status(200), times: .any)
        stubs.on(.get, "/v1/volumes", .status(200), times: .atMost(3))
        stubs.on(.get, "/v1/volumes", .status(200), times: .exactly(-1))
        try await stubs.run {}
    }

    @Test func `an unexpected request fails the run even if the test swallows the error`() async throws {
        stubs.on(.get, "/v1/volumes", .json("[]"), times: .any)
        let problem = await problem { _ = try? await ShelfRequest("/volume").start().value }
        #expect(
            problem.hasPrefix("GET /v1/volume is not stubbed; the nearest: GET /v1/volumes (RouteStubsEndTests.swift:"))
    }

    @Test func `an unexpected request is reported together with the error of the test`() async throws {
        struct Translated: Error {}
        let failure = await thrown(StubFailure.self) {
            try await stubs.run { () async throws in
                do { _ = try await VolumesRequest().start().value } catch { throw Translated() }
            }
        }
        #expect(failure?.underlyingError is Translated)
        #expect(failure?.description.contains("GET /v1/volumes is not stubbed, and there are no stubs") == true)
    }

    @Test func `the error of the test is thrown, and unused stubs are not reported`()
        async throws
    {
        struct Own: Error {}
        stubs.on(.get, "/v1/volumes", .status(200))
        _ = await thrown(Own.self) { try await stubs.run { throw Own() } }
    }
}

struct `An unexpected request` {
    let stubs = RouteStubs()

    private func reason(_ request: ShelfAPI) async -> String {
        let error = await thrown {
            _ = try await stubs.scoped { try await request.startRequest().value }
        }
        #expect(error?.code == .unexpectedRequest)
        return error?.reason ?? ""
    }

    @Test func `an unexpected request lists the nearest stubs first`() async throws {
        stubs.on(.delete, "/v1/shelves/:id", .status(204))
        stubs.on(.get, "/v1/volumes/:id/notes", .status(200))
        stubs.on(.get, "/v1/volumes/:id", .status(200))
        stubs.on(.post, "/v1/volumes", .status(200))
        let reason = await reason(ShelfRequest("/volume/7"))
        let order = ["GET /v1/volumes/:id (", "POST /v1/volumes (", "GET /v1/volumes/:id/notes ("]
        let places = order.compactMap { reason.range(of: $0)?.lowerBound }
        #expect(places.count == 3 && places == places.sorted(), "\(reason)")
        #expect(reason.hasPrefix("GET /v1/volume/7 is not stubbed; the nearest: GET /v1/volumes/:id ("))
        #expect(reason.hasSuffix(" and 1 more"))
    }

    @Test func `an unexpected request lists unmatched conditions without their values`() async throws {
        stubs.on(
            .get, "/v1/volumes", where: [.query("page", "2"), .header("X-Key", "s3cret"), .host("a.example")],
            .status(200))
        let reason = await reason(VolumesRequest(["page": "hidden"]))
        #expect(
            reason.hasSuffix(
                "; not met: the query's \"page\" has the expected value and the header field X-Key has the expected value and the host is a.example"
            ))
        #expect(!reason.contains("s3cret") && !reason.contains("hidden"))
    }

    @Test func `an unexpected request names a stub with the same path and another method`() async throws {
        stubs.on(.put, "/v1/volumes", .status(200))
        #expect(await reason(VolumesRequest()).contains("the nearest: PUT /v1/volumes ("))
    }

    @Test func `an unexpected request is not retried`() async throws {
        stubs.on(.get, "/v1/shelves", .status(200))
        let request = VolumesRequest()
        request.retryPolicy = .immediate
        _ = await reason(request)
        #expect(stubs.requests.count == 1)
    }

    @Test(arguments: ["", "a", String(repeating: "x/", count: 5_000)])
    func `an unexpected request can have any path`(_ path: String) async throws {
        stubs.on(.get, "/v1/*", .status(200))
        stubs.on(.get, ":id", .status(200))
        let request = ShelfRequest("")
        request.baseURL = URL(string: "https://shelf.example.com/other/\(path)")
        #expect(await reason(request).contains("the nearest: "))
    }
}

extension RouteStubs {
    /// A run without checks at its end.
    func scoped<Value>(_ body: () async throws -> Value) async throws -> Value {
        try await scope(body)
    }
}
