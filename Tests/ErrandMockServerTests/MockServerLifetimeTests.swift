import Errand
import ErrandMockServer
import ErrandTesting
import TestSupport
import Testing

@Suite(.hangGuard) struct `Lifetime of a mock server` {
    @Test func `stopping a server closes every connection and the port`() async throws {
        let server = try MockServer.onUnsharedPort()
        let url = server.url
        let client = try await RawClient.connect(to: url)
        try await server.waitUntil(openConnections: 1)
        server.stop()
        server.stop()
        #expect(server.openConnections == 0)
        #expect(try await client.readToEnd().text == "")
        await #expect(throws: RawClient.Failure.refused) {
            try await RawClient.connect(to: url)
        }
    }

    @Test func `stopping a server ends running requests without a response`() async throws {
        let server = try MockServer()
        let (gate, opener) = AsyncStream<Void>.makeStream()
        server.onAny { _ in
            for await _ in gate {}
            return .status(200)
        }
        let clients = try await connect(10, to: server.url)
        for client in clients { try await client.send(Wire.request("GET", "/")) }
        try await server.waitUntil { $0.requests == 10 }
        server.stop()
        opener.finish()
        for client in clients { #expect(try await client.readToEnd().text == "") }
    }

    @Test func `releasing the last reference stops the server while a handler runs`() async throws {
        var server: MockServer? = try MockServer.onUnsharedPort()
        let (started, witness) = AsyncStream<Void>.makeStream()
        server?.onAny { _ in
            witness.yield()
            let (forever, _) = AsyncStream<Void>.makeStream()
            for await _ in forever {}
            return .status(200)
        }
        let url = try #require(server?.url)
        let client = try await RawClient.connect(to: url)
        try await client.send(Wire.request("GET", "/"))
        for await _ in started { break }
        server = nil
        #expect(try await client.readToEnd().text == "")
        await #expect(throws: RawClient.Failure.refused) {
            try await RawClient.connect(to: url)
        }
    }

    @Test func `a server referenced only by its response stops on its own thread`() async throws {
        let (gate, opener) = AsyncStream<Void>.makeStream()
        let client = try await {
            let server = try MockServer()
            server.onAny { [weak server] _ in
                let held = server
                return .raw("ab").with(
                    fault: .drip(bytesAtATime: 1) {
                        for await _ in gate { break }
                        withExtendedLifetime(held) {}
                    })
            }
            let client = try await RawClient.connect(to: server.url)
            try await client.send(Wire.request("GET", "/"))
            #expect(try await client.read(1) == "a")
            return client
        }()
        opener.yield()
        #expect(try await client.readToEnd().text == "b")
    }

    @Test func `stopping a server releases its handlers`() async throws {
        final class Witness: Sendable {}
        weak var observed: Witness?
        let server = try MockServer()
        do {
            let witness = Witness()
            observed = witness
            server.on(.get, "/") { _ in .text("\(witness)") }
        }
        #expect(observed != nil)
        server.stop()
        #expect(observed == nil)
    }

    @Test func `starting a server on a port in use throws a descriptive error`() throws {
        let server = try MockServer()
        let port = try #require(server.url.port.map(UInt16.init))
        let error = #expect(throws: MockServerError.self) { try MockServer(port: port) }
        #expect(error == .system(operation: "bind", errno: EADDRINUSE))
        #expect(error?.description.contains("Address already in use") == true)
    }

    @Test func `a port can be reused at once after its server stops`() async throws {
        let first = try MockServer.onUnsharedPort()
        first.onAny { _ in .raw("first") }
        let client = try await RawClient.connect(to: first.url)
        try await client.send(Wire.request("GET", "/"))
        #expect(try await client.readToEnd().text == "first")
        first.stop()
        let second = try MockServer(port: try #require(first.url.port.map(UInt16.init)))
        #expect(second.url == first.url)
    }

    @Test func `a refusing server rejects connections and keeps its port reserved`() async throws {
        let refusing = try MockServer.refusing()
        let port = try #require(refusing.url.port.map(UInt16.init))
        await #expect(throws: RawClient.Failure.refused) {
            try await RawClient.connect(to: refusing.url)
        }
        #expect(throws: MockServerError.system(operation: "bind", errno: EADDRINUSE)) { try MockServer(port: port) }
        withExtendedLifetime(refusing) {}
    }

    @Test func `two hundred concurrent connections all receive responses`() async throws {
        let server = try MockServer()
        let (gate, opener) = AsyncStream<Void>.makeStream()
        server.onAny { request in
            for await _ in gate { break }
            return .raw(request.path)
        }
        let clients = try await connect(200, to: server.url)
        for (index, client) in clients.enumerated() { try await client.send(Wire.request("GET", "/\(index)")) }
        try await server.waitUntil { $0.requests == 200 }
        #expect(server.openConnections == 200)
        opener.finish()
        for (index, client) in clients.enumerated() {
            #expect(try await client.readToEnd().text == "/\(index)")
        }
        #expect(Set(server.requests.map(\.connection)) == Set(1...200))
        try await server.waitUntil(openConnections: 0)
    }

    private func connect(_ count: Int, to url: URL) async throws -> [RawClient] {
        var clients: [RawClient] = []
        for _ in 0..<count { clients.append(try await RawClient.connect(to: url)) }
        return clients
    }
}
