#if canImport(CCurl)
import ErrandMockServer
import ErrandTesting
import TestSupport
import Testing

import Errand

@Suite(.hangGuard) struct `Contract: the options of a socket` {
    /// Sends a request, and looks at the socket of the connection, which stays open.
    private func optionsAfterRequest(
        _ change: (inout CurlConfiguration) -> Void
    ) async throws -> (keepAlive: Int32, idle: Int32, unacknowledged: Int32, isPrivate: Bool) {
        var configuration = CurlConfiguration()
        configuration.proxy = .none
        change(&configuration)
        let transport = CurlTransport(configuration)
        let server = try MockServer()
        server.onAny { _ in .status(200) }
        let request = TransportRequest(URLRequest(url: server.url, timeoutInterval: .hangGuard))
        #expect(try await transport.send(request).statusCode == 200)
        let port = UInt16(try #require(server.url.port))
        let descriptor = try #require((0..<65_536).first { Self.portOfPeer(of: $0) == port })
        return (
            Self.option(SOL_SOCKET, SO_KEEPALIVE, of: descriptor), Self.option(Int32(IPPROTO_TCP), 4, of: descriptor),
            Self.option(Int32(IPPROTO_TCP), 18, of: descriptor), fcntl(descriptor, F_GETFD) & FD_CLOEXEC != 0
        )
    }

    private static func portOfPeer(of descriptor: Int32) -> UInt16? {
        var address = sockaddr_in()
        var length = socklen_t(MemoryLayout<sockaddr_in>.size)
        let result = withUnsafeMutableBytes(of: &address) { bytes in
            getpeername(descriptor, bytes.assumingMemoryBound(to: sockaddr.self).baseAddress, &length)
        }
        return result == 0 && address.sin_family == AF_INET ? UInt16(bigEndian: address.sin_port) : nil
    }

    /// TCP_KEEPIDLE is 4, and TCP_USER_TIMEOUT 18 (linux/tcp.h).
    private static func option(_ level: Int32, _ name: Int32, of descriptor: Int32) -> Int32 {
        var value: Int32 = -1
        var length = socklen_t(MemoryLayout<Int32>.size)
        getsockopt(descriptor, level, name, &value, &length)
        return value
    }

    @Test func `keep-alive and unacknowledged timeouts are set on the socket`() async throws {
        let options = try await optionsAfterRequest {
            $0.keepAliveInterval = .seconds(33)
            $0.unacknowledgedTimeout = .seconds(77)
            $0.connectTimeout = .seconds(5)
        }
        #expect(options.keepAlive == 1)
        #expect(options.idle == 33)
        #expect(options.unacknowledged == 77_000)
    }

    @Test func `a keep-alive interval of zero disables keep-alive on the socket`() async throws {
        let options = try await optionsAfterRequest { $0.keepAliveInterval = .zero }
        #expect(options.keepAlive == 0)
    }

    @Test func `child processes do not inherit the socket`() async throws {
        #expect(try await optionsAfterRequest { _ in }.isPrivate)
    }
}
#endif
