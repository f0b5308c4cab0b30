import Errand
import ErrandMockServer
import ErrandTesting
import TestSupport
import Testing

@Suite(.hangGuard) struct `A tunnel of a mock server` {
    private let origin: MockServer
    private let proxy: MockServer

    init() throws {
        origin = try MockServer()
        origin.onAny { request in .text("\(request.body.count)") }
        proxy = try MockServer()
        let port = UInt16(try #require(origin.url.port))
        proxy.on("CONNECT", "*") { request in
            request.headers["Proxy-Authorization"] == nil ? .status(407) : .tunnel(toPort: port)
        }
    }

    private func connect(to server: MockServer) async throws -> RawClient {
        let client = try await RawClient.connect(to: server.url)
        try await client.send(Wire.request("CONNECT", "books.example:443", "Proxy-Authorization: Basic x"))
        #expect(
            try await client.read(through: "\r\n\r\n") == "HTTP/1.1 200 Connection established\r\n\r\n")
        return client
    }

    @Test func `a tunnel carries bytes both ways, and the proxy records the CONNECT request`() async throws {
        let client = try await connect(to: proxy)
        let large = String(repeating: "x", count: 1 << 20)
        try await client.send(Wire.request("POST", "/a", body: large))
        #expect(try await client.read(through: "1048576").hasPrefix("HTTP/1.1 200 OK"))
        #expect(try await proxy.takeRequest().target == "books.example:443")
        #expect(try await origin.takeRequest().body.count == 1 << 20)
        try await proxy.waitUntil { $0.requests == 1 && $0.openConnections == 1 }
    }

    @Test func `a tunnel closes when the client closes`() async throws {
        let client = try await connect(to: proxy)
        try await origin.waitUntil(openConnections: 1)
        client.end()
        try await origin.waitUntil(openConnections: 0)
        try await proxy.waitUntil(openConnections: 0)
    }

    @Test func `a tunnel closes after the last byte of the target server`() async throws {
        let client = try await connect(to: proxy)
        try await client.send(Wire.request("GET", "/a", "Connection: close"))
        #expect(try await client.readToEnd().text.hasSuffix("\r\n\r\n0"))
        try await proxy.waitUntil(openConnections: 0)
    }

    @Test func `a tunnel closes when the proxy stops`() async throws {
        let client = try await connect(to: proxy)
        try await origin.waitUntil(openConnections: 1)
        proxy.stop()
        try await origin.waitUntil(openConnections: 0)
        _ = client
    }

    @Test func `a tunnel to a port without a listener is closed`() async throws {
        let nobody = try MockServer.refusing()
        let port = UInt16(try #require(nobody.url.port))
        proxy.on("CONNECT", "*") { _ in .tunnel(toPort: port) }
        let client = try await connect(to: proxy)
        #expect(try await client.readToEnd().text == "")
    }

    @Test func `a tunnel can be rejected with a response`() async throws {
        let client = try await RawClient.connect(to: proxy.url)
        try await client.send(Wire.request("CONNECT", "books.example:443", "Connection: close"))
        #expect(try await client.readToEnd().text.hasPrefix("HTTP/1.1 407 Proxy Authentication Required"))
        #expect(origin.acceptedConnections == 0)
    }
}
