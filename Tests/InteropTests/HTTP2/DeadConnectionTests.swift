import Errand
import TestSupport
import Testing

/// A connection that stays open but transfers nothing, for example because a router has dropped its state.
@Suite(.interop(.nginx, .openssl, .python3), .hangGuard) struct `Connections: dead connections` {
    /// Over HTTP/2, libcurl closes the stream of a request that times out, and keeps using the connection.
    @Test(arguments: [CurlConfiguration.Version.automatic, .http1])
    func `a connection is not reused after a request on it timed out`(
        _ version: CurlConfiguration.Version
    ) async throws {
        let authority = try await CertificateAuthority()
        let nginx = try await Nginx(certificate: authority.issue(), "location / { return 200 ok; }")
        let line = try await FreezingLine(to: nginx.port)
        let url = try URL.of("https://localhost:\(line.port)/")
        let transport = try CurlTransport.trusting(authority) { $0.version = version }
        let first = try await transport.get(url)
        #expect(first.metrics?.protocolName == (version == .http1 ? "http/1.1" : "h2"))
        try await line.freeze()
        var late = TransportRequest.get(url)
        late.urlRequest.timeoutInterval = 0.5
        await expectURLError(.timedOut) { try await transport.send(late) }
        let next = try await transport.get(url)
        #expect(next.text == "ok")
        #expect(next.metrics?.isConnectionReused == false)
    }

    /// Each request times out soon, and there is always another one that was sent later.
    @Test func `a dead connection is abandoned even if its requests overlap`() async throws {
        let authority = try await CertificateAuthority()
        let nginx = try await Nginx(certificate: authority.issue(), "location / { return 200 ok; }")
        let line = try await FreezingLine(to: nginx.port)
        let url = try URL.of("https://localhost:\(line.port)/")
        // The system does not detect the dead connection.
        let transport = try CurlTransport.trusting(authority) {
            $0.keepAliveInterval = .zero
            $0.unacknowledgedTimeout = .seconds(3_600)
        }
        #expect(try await transport.get(url).metrics?.protocolName == "h2")
        try await line.freeze()
        let response = try await withThrowingTaskGroup(of: DataResponse.self) { group in
            for index in 0..<4 {
                group.addTask {
                    var request = TransportRequest.get(url)
                    request.urlRequest.timeoutInterval = 0.5 + 0.1 * Double(index)
                    while true {
                        do {
                            return try await transport.send(request)
                        } catch let failure as TransportFailure where failure.error.code == .timedOut {
                            continue
                        }
                    }
                }
            }
            defer { group.cancelAll() }
            return try #require(await group.next())
        }
        // Nothing arrives over the frozen connection, so this response came over a new one.
        #expect(response.text == "ok")
    }
}

/// A relay that forwards bytes in both directions until it freezes the open connections. New connections work.
struct FreezingLine: Sendable {
    let port: UInt16
    private let control: UInt16
    private let process: ServerProcess

    init(to server: UInt16) async throws {
        var control: UInt16 = 0
        (process, port) = try await ServerProcess.onFreePort(.python3, readyWhen: "ready") { port in
            control = try Loopback.freePort()
            return ["-u", "-c", Self.program, "\(port)", "\(server)", "\(control)"]
        }
        self.control = control
    }

    /// Freezes the open connections. Returns when no more bytes are forwarded.
    func freeze() async throws {
        let descriptor = try Loopback.connect(to: control)
        defer { close(descriptor) }
        // The relay sends a byte when it has frozen the connections.
        var byte: UInt8 = 0
        guard recv(descriptor, &byte, 1, 0) == 1 else { throw URLError(.networkConnectionLost) }
    }

    private static let program = """
        import socket, sys, threading
        port, server, control = map(int, sys.argv[1:])
        frozen = set()

        def carry(source, target, pair):
            while (data := source.recv(65536)):
                if pair in frozen:
                    continue
                target.sendall(data)

        pairs = []
        def serve():
            listener = socket.create_server(("127.0.0.1", port))
            print("ready", flush=True)
            while True:
                client = listener.accept()[0]
                upstream = socket.create_connection(("127.0.0.1", server))
                pairs.append(len(pairs))
                for source, target in ((client, upstream), (upstream, client)):
                    threading.Thread(target=carry, args=(source, target, pairs[-1]), daemon=True).start()

        commands = socket.create_server(("127.0.0.1", control))
        threading.Thread(target=serve, daemon=True).start()
        while True:
            command = commands.accept()[0]
            frozen.update(pairs)
            command.sendall(b"!")
        """
}
