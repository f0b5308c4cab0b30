import Errand
import ErrandWebSocketTesting
import TestSupport
import Testing

@testable import ErrandWebSocket

struct `WebSocket handshake` {
    private let nonce = Array(Data(base64Encoded: "dGhlIHNhbXBsZSBub25jZQ==") ?? Data())

    private func handshake(_ change: (inout WebSocketOptions) -> Void = { _ in }) -> WebSocketClientHandshake {
        var options = WebSocketOptions()
        change(&options)
        return WebSocketClientHandshake(options, nonce: nonce)
    }

    private var response: HeaderFields {
        ["Upgrade": "websocket", "Connection": "Upgrade", "Sec-WebSocket-Accept": "s3pPLMBiTxaQ9kYGzzhZRbK+xOo="]
    }

    private func head(_ url: String, _ headers: HeaderFields = [:]) throws -> [String] {
        var request = URLRequest(url: try #require(URL(string: url)))
        for field in headers { request.setValue(field.value, forHTTPHeaderField: field.name) }
        let bytes = try handshake { $0.subprotocols = ["chat", "superchat"] }.head(of: request)
        return String(decoding: bytes, as: UTF8.self).components(separatedBy: "\r\n")
    }

    @Test(arguments: [
        ("", "da39a3ee5e6b4b0d3255bfef95601890afd80709"), ("abc", "a9993e364706816aba3e25717850c26c9cd0d89d"),
        ("abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq", "84983e441c3bd26ebaae4aa1f95129e5e54670f1"),
        (String(repeating: "a", count: 1000), "291e9a6c66994949b57ba5e650361e98fc36b1ba"),
    ])
    func `SHA-1 digests match the examples of FIPS 180`(_ text: String, _ digest: String) {
        #expect(SHA1.digest(of: Array(text.utf8)).map { String(format: "%02x", $0) }.joined() == digest)
    }

    @Test func `the example handshake of RFC 6455 is written and accepted`() throws {
        let handshake = handshake {
            $0.subprotocols = ["chat", "superchat"]
            $0.compression = nil
        }
        var request = URLRequest(url: try #require(URL(string: "http://server.example.com/chat")))
        request.setValue("http://example.com", forHTTPHeaderField: "Origin")
        #expect(
            String(decoding: try handshake.head(of: request), as: UTF8.self) == """
                GET /chat HTTP/1.1\r
                Host: server.example.com\r
                User-Agent: Errand\r
                Origin: http://example.com\r
                Upgrade: websocket\r
                Connection: Upgrade\r
                Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r
                Sec-WebSocket-Version: 13\r
                Sec-WebSocket-Protocol: chat, superchat\r
                \r

                """)
        var response = response
        response["sec-websocket-protocol"] = "chat"
        #expect(try handshake.agreement(on: response) == .init(subprotocol: "chat"))
    }

    @Test func `a handshake request contains path, query, host and port as written`() throws {
        let lines = try head("https://ursula:le%20guin@[::1]:8443/a%20b?q=%2F&r#fragment")
        #expect(lines[0] == "GET /a%20b?q=%2F&r HTTP/1.1")
        #expect(lines.contains("Host: [::1]:8443"))
        #expect(lines.contains("Authorization: Basic \(Data("ursula:le guin".utf8).base64EncodedString())"))
        #expect(try head("http://example.com?q=1")[0] == "GET /?q=1 HTTP/1.1")
        #expect(try head("http://example.com")[0] == "GET / HTTP/1.1")
        let own = try head(
            "http://u@example.com", ["Authorization": "Bearer t", "User-Agent": "mine", "Host": "other"])
        #expect(own.filter { $0.hasPrefix("Authorization") } == ["Authorization: Bearer t"])
        #expect(own.filter { $0.hasPrefix("User-Agent") } == ["User-Agent: mine"])
        #expect(own.filter { $0.hasPrefix("Host") } == ["Host: other"])
    }

    /// RFC 6874, section 4: the zone has a meaning only on this machine.
    @Test(arguments: [
        ("http://[::1%25lo]:8443/", "[::1]:8443"), ("https://[fe80::1%25eth0]/a%25b", "[fe80::1]"),
        ("http://u%25:p@[fe80::1%25en%201]:80?q", "[fe80::1]:80"), ("http://[fe80::1]", "[fe80::1]"),
    ])
    func `the Host field of a handshake has no zone`(_ url: String, _ host: String) throws {
        #expect(try head(url).contains("Host: \(host)"))
    }

    @Test func `each handshake has a new key`() throws {
        let request = URLRequest(url: try #require(URL(string: "http://example.com")))
        let (one, other) = (WebSocketClientHandshake(.init()), WebSocketClientHandshake(.init()))
        #expect(try one.head(of: request) != other.head(of: request))
    }

    @Test(
        arguments: [
            ("Upgrade", []), ("Upgrade", ["h2c"]), ("Upgrade", ["websocket", "websocket"]), ("Connection", []),
            ("Connection", ["keep-alive"]), ("Sec-WebSocket-Accept", []),
            ("Sec-WebSocket-Accept", ["s3pPLMBiTxaQ9kYGzzhZRbK+xOO="]),
            ("Sec-WebSocket-Accept", ["s3pPLMBiTxaQ9kYGzzhZRbK+xOo=", "s3pPLMBiTxaQ9kYGzzhZRbK+xOo="]),
            ("Sec-WebSocket-Protocol", ["other"]), ("Sec-WebSocket-Protocol", ["chat, superchat"]),
            ("Sec-WebSocket-Protocol", ["chat", "superchat"]), ("Sec-WebSocket-Extensions", ["x-webkit-deflate-frame"]),
            ("Sec-WebSocket-Extensions", ["permessage-deflate, permessage-deflate"]),
            ("Sec-WebSocket-Extensions", ["permessage-deflate; level=9"]),
            (
                "Sec-WebSocket-Extensions",
                [
                    "permessage-deflate; server_no_context_takeover; server_no_context_takeover"
                ]
            ),
            ("Sec-WebSocket-Extensions", ["permessage-deflate; server_no_context_takeover=1"]),
            ("Sec-WebSocket-Extensions", ["permessage-deflate; server_max_window_bits=7"]),
            ("Sec-WebSocket-Extensions", ["permessage-deflate; client_max_window_bits=16"]),
            ("Sec-WebSocket-Extensions", ["permessage-deflate; client_max_window_bits=08"]),
            ("Sec-WebSocket-Extensions", ["permessage-deflate; client_max_window_bits"]),
            ("Sec-WebSocket-Extensions", ["permessage-deflate; ="]),
        ] as [(String, [String])])
    func `a response that does not match the handshake request is rejected`(_ name: String, _ values: [String]) async {
        var response = response
        response[values: name] = values
        let handshake = handshake { $0.subprotocols = ["chat", "superchat"] }
        await expectFailure(.webSocketHandshakeFailed) { [response] in try handshake.agreement(on: response) }
    }

    @Test func `case and lists in handshake fields follow HTTP rules`() throws {
        var response = response
        response["Upgrade"] = "WebSocket"
        response["Connection"] = "keep-alive, upgrade"
        #expect(try handshake().agreement(on: response) == .init())
    }

    @Test func `an extension that was not offered is rejected`() async {
        var response = response
        response["Sec-WebSocket-Extensions"] = "permessage-deflate"
        await expectFailure(.webSocketHandshakeFailed) { [response] in
            try handshake { $0.compression = nil }.agreement(on: response)
        }
    }

    @Test func `client and server agree on compression that both support`() throws {
        typealias Compression = WebSocketOptions.Compression
        func agreement(
            _ client: (inout Compression) -> Void, _ server: (inout Compression) -> Void
        ) throws -> (client: PermessageDeflate?, server: PermessageDeflate?, field: String?) {
            var (own, other) = (Compression(), Compression())
            client(&own)
            server(&other)
            let handshake = handshake { $0.compression = own }
            let response = try WebSocketServerHandshake(
                to: HeaderFields(handshake.fields), subprotocols: [], compression: other)
            let agreed = try handshake.agreement(on: response.headers)
            return (agreed.compression, response.agreement.compression, response.headers["Sec-WebSocket-Extensions"])
        }
        let plain = try agreement({ _ in }, { _ in })
        #expect(plain.client == PermessageDeflate() && plain.server == plain.client)
        #expect(plain.field == "permessage-deflate")
        let clientLimits = try agreement(
            {
                $0.serverKeepsContext = false
                $0.serverMaximumWindowBits = 10
            }, { _ in })
        #expect(clientLimits.client?.serverNoContextTakeover == true && clientLimits.client?.serverMaxWindowBits == 10)
        #expect(clientLimits.client == clientLimits.server)
        let serverLimits = try agreement(
            { _ in },
            {
                $0.clientKeepsContext = false
                $0.clientMaximumWindowBits = 9
            })
        #expect(serverLimits.client?.clientNoContextTakeover == true && serverLimits.client?.clientMaxWindowBits == 9)
        #expect(serverLimits.client == serverLimits.server)
    }

    @Test func `a server that ignores the requested compression limits is rejected`() async throws {
        var response = response
        let cases = ["permessage-deflate", "permessage-deflate; server_max_window_bits=12"]
        for field in cases {
            response["Sec-WebSocket-Extensions"] = field
            await expectFailure(.webSocketHandshakeFailed) { [response] in
                try handshake { $0.compression?.serverMaximumWindowBits = 11 }.agreement(on: response)
            }
        }
        response["Sec-WebSocket-Extensions"] = "permessage-deflate"
        await expectFailure(.webSocketHandshakeFailed) { [response] in
            try handshake { $0.compression?.serverKeepsContext = false }.agreement(on: response)
        }
    }

    @Test(arguments: [
        ("Upgrade", 426), ("Connection", 426), ("Sec-WebSocket-Version", 426), ("Sec-WebSocket-Key", 400),
    ])
    func `a server rejects a request without an upgrade`(_ missing: String, _ status: Int) throws {
        var fields = HeaderFields(handshake().fields)
        fields[missing] = nil
        do {
            _ = try WebSocketServerHandshake(to: fields)
            Issue.record("the server accepted the handshake")
        } catch {
            #expect(error.statusCode == status)
        }
    }
}
