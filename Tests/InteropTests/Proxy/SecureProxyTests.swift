import Errand
import TestSupport
import Testing

/// A proxy that is itself connected to over TLS: the same rules hold as for a server.
@Suite(.interop(.openssl, .python3), .hangGuard) struct `Proxy: TLS` {
    private let authority: CertificateAuthority

    init() async throws {
        authority = try await CertificateAuthority()
    }

    private func proxy(_ certificate: Certificate, maximumVersion: String = "TLSv1_3") async throws
        -> (url: URL, process: ServerProcess)
    {
        let (process, port) = try await ServerProcess.onFreePort(.python3, readyWhen: "ready") { port in
            [
                "-u", "-c", Self.program, "\(port)", maximumVersion, certificate.certificateFile, certificate.keyFile,
            ]
        }
        return (try URL.of("https://localhost:\(port)/"), process)
    }

    private func transport(_ proxy: URL, _ change: (inout CurlConfiguration) -> Void = { _ in }) throws -> CurlTransport
    {
        try CurlTransport.trusting(authority) { configuration in
            configuration.proxy = .server(proxy)
            change(&configuration)
        }
    }

    @Test func `a TLS proxy is trusted by a configured authority`() async throws {
        let certificate = try await authority.issue()
        let server = try await TLSServer(certificate)
        let proxy = try await proxy(authority.issue())
        let response = try await transport(proxy.url).get(server.url())
        #expect(response.statusCode == 200)
        var configuration = CurlConfiguration()
        configuration.proxy = .server(proxy.url)
        let stranger = CurlTransport(configuration)
        await expectURLError(.serverCertificateUntrusted) { try await stranger.get(server.url()) }
    }

    @Test func `a TLS proxy must have one of the pinned keys`() async throws {
        let (certificate, other) = (try await authority.issue(), try await authority.issue())
        let server = try await TLSServer(certificate)
        let proxy = try await proxy(other)
        let key = try await certificate.publicKeyHash()
        let both = [key, try await other.publicKeyHash()]
        let pinned = try transport(proxy.url) { $0.tls.pinnedPublicKeys = both }
        #expect(try await pinned.get(server.url()).statusCode == 200)
        let strict = try transport(proxy.url) { $0.tls.pinnedPublicKeys = [key] }
        await expectURLError(.serverCertificateUntrusted) { try await strict.get(server.url()) }
    }

    @Test func `a TLS proxy must support the minimum TLS version`() async throws {
        let server = try await TLSServer(authority.issue())
        let proxy = try await proxy(authority.issue(), maximumVersion: "TLSv1_2")
        #expect(try await transport(proxy.url).get(server.url()).statusCode == 200)
        let strict = try transport(proxy.url) { $0.tls.minimumVersion = .tls13 }
        await expectURLError(.secureConnectionFailed) { try await strict.get(server.url()) }
    }

    private static let program = """
        import socket, ssl, sys, threading
        port, version, certificate, key = int(sys.argv[1]), *sys.argv[2:]
        context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
        context.maximum_version = getattr(ssl.TLSVersion, version)
        context.load_cert_chain(certificate, key)

        def carry(source, target):
            try:
                while (data := source.recv(65536)):
                    target.sendall(data)
                target.shutdown(socket.SHUT_WR)
            except OSError:
                pass

        def serve(plain):
            client = context.wrap_socket(plain, server_side=True)
            head = b""
            while not head.endswith(b"\\r\\n\\r\\n"):
                head += client.recv(1)
            server = socket.create_connection(("127.0.0.1", int(head.split()[1].rsplit(b":", 1)[1])))
            client.sendall(b"HTTP/1.1 200 Connected\\r\\n\\r\\n")
            threading.Thread(target=carry, args=(server, client), daemon=True).start()
            carry(client, server)

        listener = socket.create_server(("127.0.0.1", port))
        print("ready", flush=True)
        while True:
            threading.Thread(target=serve, args=(listener.accept()[0],), daemon=True).start()
        """
}
