import Errand
import ErrandMockServer
import ErrandTesting
import TestSupport
import Testing

@Suite(.hangGuard) struct `Host of a mock server` {
    @Test func `a mock server listens on an IPv6 address`() async throws {
        let server = try MockServer(host: .ipv6)
        server.onAny { .text($0.headers["Host"] ?? "") }
        let port = try #require(server.url.port)
        #expect(server.url.absoluteString == "http://[::1]:\(port)")
        let response = try await TLSClient(server).start().value
        #expect(response.data == Data("[::1]:\(port)".utf8))
    }

    @Test func `a mock server listens on a Unix-domain socket and removes its file`() async throws {
        let path = FileManager.default.temporaryDirectory.appendingPathComponent("\(UUID().uuidString.prefix(8))").path
        let server = try MockServer(host: .unixSocket(path: path))
        server.on(.get, "/info") { _ in .text("over a file") }
        #expect(server.url.absoluteString == "http://localhost")
        let client = TLSClient(server.url, trusting: nil, path: "/info") { $0.unixSocketPath = path }
        #expect(try await client.start().value.data == Data("over a file".utf8))
        #expect(throws: MockServerError.system(operation: "bind", errno: EADDRINUSE)) {
            try MockServer(host: .unixSocket(path: path))
        }
        #expect(FileManager.default.fileExists(atPath: path), "the other server's")
        server.stop()
        #expect(!FileManager.default.fileExists(atPath: path))
    }

    @Test(arguments: ["", String(repeating: "a", count: 200), "/tmp/a\0b"])
    func `an invalid Unix-domain socket path throws an error`(_ path: String) {
        #expect(throws: MockServerError.unixSocketPath(path)) { try MockServer(host: .unixSocket(path: path)) }
    }
}
