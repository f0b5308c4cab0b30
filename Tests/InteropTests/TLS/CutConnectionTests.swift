import TestSupport
import Testing

@testable import Errand

/// A body without a length ends when the connection closes. Over TLS, the server first sends close_notify (RFC 8446,
/// section 6.1), so that an attacker cannot truncate the body.
@Suite(.interop(.openssl, .python3), .hangGuard) struct `TLS: truncated connections` {
    @Test(arguments: [false, true], ["https", "HTTPS"])
    func `a body fails if its TLS connection closes without close_notify`(
        _ isStreamed: Bool, _ scheme: String
    ) async throws {
        try #require(CurlLibrary.current.usesOpenSSL)
        let authority = try await CertificateAuthority()
        let transport = try CurlTransport.trusting(authority)
        let whole = try await server(authority.issue(), isCut: false)
        #expect(try await transport.get(whole.url).text == "all there is")
        let cut = try await server(authority.issue(), isCut: true)
        let url = try URL.of(scheme + cut.url.absoluteString.dropFirst(5))
        await expectURLError(.networkConnectionLost) {
            if isStreamed {
                for try await _ in try await transport.stream(.get(url)).body {}
            } else {
                _ = try await transport.get(url)
            }
        }
    }

    private func server(_ certificate: Certificate, isCut: Bool) async throws -> (url: URL, process: ServerProcess) {
        let (process, port) = try await ServerProcess.onFreePort(.python3, readyWhen: "ready") { port in
            [
                "-u", "-c", Self.program, "\(port)", isCut ? "cut" : "whole", certificate.certificateFile,
                certificate.keyFile,
            ]
        }
        return (try URL.of("https://localhost:\(port)/"), process)
    }

    private static let program = """
        import socket, ssl, sys
        port, end, certificate, key = int(sys.argv[1]), *sys.argv[2:]
        context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
        context.load_cert_chain(certificate, key)
        listener = socket.create_server(("127.0.0.1", port))
        print("ready", flush=True)
        while True:
            connection = context.wrap_socket(listener.accept()[0], server_side=True)
            while not connection.recv(65536).endswith(b"\\r\\n\\r\\n"):
                pass
            connection.sendall(b"HTTP/1.1 200 OK\\r\\nConnection: close\\r\\n\\r\\nall there is")
            if end == "cut":
                socket.socket(fileno=connection.detach()).close()
            else:
                connection.unwrap().close()
        """
}
