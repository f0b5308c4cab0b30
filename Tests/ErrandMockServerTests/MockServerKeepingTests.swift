import Errand
import ErrandMockServer
import ErrandTesting
import TestSupport
import Testing

@Suite(.hangGuard) struct `A mock server that keeps few requests` {
    private func server(keeping count: Int, after paths: ClosedRange<Int>) async throws -> MockServer {
        let server = try MockServer()
        server.keptRequests = count
        let client = try await RawClient.connect(to: server.url)
        try await client.send(paths.map { Wire.request("GET", "/\($0)") }.joined())
        try await server.waitUntil { $0.requests == paths.count }
        return server
    }

    @Test(arguments: [0, 1, 3, 10, 100])
    func `a mock server keeps only the latest requests`(_ count: Int) async throws {
        let server = try await server(keeping: count, after: 1...20)
        #expect(server.requests.map(\.path) == (1...20).suffix(count).map { "/\($0)" })
    }

    @Test func `taking requests skips those that were discarded`() async throws {
        let server = try await server(keeping: 2, after: 1...9)
        #expect(try await server.takeRequest().path == "/8")
        #expect(try await server.takeRequest().path == "/9")
        let client = try await RawClient.connect(to: server.url)
        async let next = server.takeRequest()
        try await client.send(Wire.request("GET", "/10"))
        #expect(try await next.path == "/10")
    }

    @Test func `lowering the limit discards surplus requests at once`() async throws {
        let server = try await server(keeping: .max, after: 1...5)
        #expect(try await server.takeRequest().path == "/1")
        server.keptRequests = 3
        #expect(server.requests.map(\.path) == ["/3", "/4", "/5"])
        #expect(try await server.takeRequest().path == "/3")
        server.keptRequests = -1
        #expect(server.keptRequests == 0)
        #expect(server.requests.isEmpty)
    }
}
