#if canImport(CCurl)
import ErrandMockServer
import ErrandTesting
import ErrandWebSocket
import TestSupport
import Testing

import Errand

extension `Contract: independent requests` {
    /// A proxy that refuses each CONNECT with an endless body, which libcurl reads in one call.
    private func endlessProxy() throws -> RawServer {
        try RawServer { connection in
            _ = connection.readHead()
            try connection.write(
                """
                HTTP/1.1 407 Proxy Authentication Required\r
                Content-Length: 1000000000000\r
                \r

                """)
            while true { try connection.write(Data(count: 65_536)) }
        }
    }

    @Test func `an endless proxy response to CONNECT fails only its own request`() async throws {
        let proxy = try endlessProxy()
        let server = try respondingServer()
        let transport = transport {
            $0.proxy = .server(proxy.url, except: ["127.0.0.1"])
        }
        let target = try #require(URL(string: "https://target.example/"))
        async let failure = #expect(throws: TransportFailure.self) { try await transport.send(request(target)) }
        #expect(try await transport.send(request(server.url)).statusCode == 200)
        let reason = await failure
        #expect(reason?.error.code == .cannotConnectToHost)
        #expect(reason?.reason == "the proxy's response to CONNECT is longer than `maximumHeadSize`")
    }

    @Test func `an endless proxy response to CONNECT fails only its own WebSocket`() async throws {
        let proxy = try endlessProxy()
        let server = try respondingServer()
        let transport = transport {
            $0.proxy = .server(proxy.url, except: ["127.0.0.1"])
        }
        let api = APIBase()
        api.session = transport
        api.baseURL = URL(string: "wss://target.example/")
        let socket = api.webSocket(.text)
        async let failure = expectFailure(.transportFailed) { try await socket.open() }
        #expect(try await transport.send(request(server.url)).statusCode == 200)
        #expect(await failure?.reason == "the proxy's response to CONNECT is longer than `maximumHeadSize`")
    }

    @Test func `a slow endless proxy response to CONNECT fails after the connect timeout`() async throws {
        let proxy = try RawServer { connection in
            _ = connection.readHead()
            try connection.write("HTTP/1.1 200 OK\r\n")
            while true {
                try connection.write("X: y\r\n")
                usleep(10_000)
            }
        }
        let server = try respondingServer()
        let transport = transport {
            $0.proxy = .server(proxy.url, except: ["127.0.0.1"])
            $0.connectTimeout = .seconds(1)
        }
        let target = try #require(URL(string: "https://target.example/"))
        async let failure = #expect(throws: TransportFailure.self) { try await transport.send(request(target)) }
        #expect(try await transport.send(request(server.url)).statusCode == 200)
        #expect(await failure?.error.code == .timedOut)
    }
}
#endif
