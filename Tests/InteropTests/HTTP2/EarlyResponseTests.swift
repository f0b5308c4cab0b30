import ErrandMockServer
import ErrandTesting
import TestSupport
import Testing

@testable import Errand

/// A server that responds before it has read the body: the response is delivered, and the rest of the body is not sent.
@Suite(.interop(.nginx, .openssl, .python3), .hangGuard) struct `Connections: responses before the end of the body` {
    private let authority: CertificateAuthority

    init() async throws {
        authority = try await CertificateAuthority()
    }

    private func request(_ url: URL, isStreamed: Bool) -> TransportRequest {
        var request = TransportRequest.get(url)
        request.urlRequest.httpMethod = "POST"
        request.urlRequest.timeoutInterval = 20
        let body = Data(count: 4 << 20)
        if isStreamed {
            request.bodyStream = BodyStream(
                AsyncStream {
                    $0.yield(body)
                    $0.finish()
                }, count: body.count)
        } else {
            request.urlRequest.httpBody = body
        }
        return request
    }

    /// - Parameter attempts: The maximum number of attempts for a request that loses its connection. If a server resets
    ///   the connection right after its response, the system discards the response unless it was already read.
    private func expectResponse(
        _ status: Int, _ url: URL, _ version: CurlConfiguration.Version, attempts: Int = 1
    ) async throws {
        let transport = try CurlTransport.trusting(authority) { $0.version = version }
        for isStreamed in [false, true] {
            let response = try await repeating(upTo: attempts) {
                try await transport.send(request(url, isStreamed: isStreamed))
            }
            #expect(response.statusCode == status)
        }
        // The transport still works.
        let next = try await repeating(upTo: attempts) { try await transport.get(url) }
        #expect(next.statusCode == status)
    }

    private func repeating(
        upTo attempts: Int, _ send: () async throws -> DataResponse
    ) async throws -> DataResponse {
        for _ in 1..<attempts {
            do {
                return try await send()
            } catch let failure as TransportFailure where failure.error.code == .networkConnectionLost {
                continue
            }
        }
        return try await send()
    }

    @Test(arguments: [CurlConfiguration.Version.automatic, .http1], [200, 201, 400, 413, 500])
    func `an early response of nginx is returned`(_ version: CurlConfiguration.Version, _ status: Int) async throws {
        let nginx = try await Nginx(
            certificate: authority.issue(), "client_max_body_size 0; location / { return \(status) early; }")
        try await expectResponse(status, nginx.url(), version)
    }

    /// A 307 makes the client send the body again, to another URL.
    @Test(arguments: [CurlConfiguration.Version.automatic, .http1], [303, 307])
    func `an early redirect is followed`(_ version: CurlConfiguration.Version, _ status: Int) async throws {
        let nginx = try await Nginx(
            certificate: authority.issue(),
            """
            client_max_body_size 0;
            location = /from { return \(status) /to; }
            location = /to { return 200 there; }
            """)
        let transport = try CurlTransport.trusting(authority) { $0.version = version }
        let response = try await transport.send(request(nginx.url("/from"), isStreamed: false))
        #expect(response.text == "there")
    }

    /// haproxy resets the stream right after its response, and libcurl before 8.1 then loses the response.
    private static let haproxyVersions: [CurlConfiguration.Version] =
        CurlLibrary.current.has(.endsFailedStreams) ? [.http1] : [.http1, .automatic]

    @Test(.interop(.haproxy), arguments: haproxyVersions, [200, 403, 503])
    func `an early response of haproxy is returned`(_ version: CurlConfiguration.Version, _ status: Int) async throws {
        let server = try await HAProxy(authority.issue(), status: status)
        try await expectResponse(status, server.url(), version, attempts: 10)
    }

    @Test(.interop(.hypercorn), arguments: [CurlConfiguration.Version.automatic, .http1], [200, 404])
    func `an early response of hypercorn is returned`(
        _ version: CurlConfiguration.Version, _ status: Int
    ) async throws {
        let server = try await Hypercorn(authority.issue(), status: status)
        try await expectResponse(status, server.url(), version, attempts: 10)
    }
}

/// haproxy, which responds to every request itself.
private struct HAProxy: Sendable {
    private let process: ServerProcess
    private let port: UInt16
    private let directory: TemporaryDirectory

    init(_ certificate: Certificate, status: Int) async throws {
        let directory = try TemporaryDirectory()
        self.directory = directory
        let pem = try ["certificateFile": certificate.certificateFile, "keyFile": certificate.keyFile].sorted {
            $0.key < $1.key
        }
        .map { try Data(contentsOf: URL(fileURLWithPath: $0.value)) }.reduce(Data(), +)
        let bundle = try directory.write(pem, to: "bundle.pem")
        (process, port) = try await ServerProcess.onFreePort(.haproxy, readyWhen: "Using ") { port in
            let text = """
                global
                    log stderr format raw local0
                defaults
                    mode http
                    timeout client 30s
                    timeout server 30s
                    timeout connect 5s
                frontend everything
                    bind 127.0.0.1:\(port) ssl crt \(bundle) alpn h2,http/1.1
                    http-request return status \(status) content-type text/plain string early

                """
            return ["-db", "-V", "-f", try directory.write(Data(text.utf8), to: "haproxy.cfg")]
        }
        // haproxy does not report when it listens.
        try await waitUntil { (try? Loopback.connect(to: port)).map { close($0) } == 0 }
    }

    func url() throws -> URL { try URL.of("https://localhost:\(port)/") }
}

/// An ASGI application that responds before it reads.
private struct Hypercorn: Sendable {
    private let process: ServerProcess
    private let port: UInt16
    private let directory: TemporaryDirectory

    init(_ certificate: Certificate, status: Int) async throws {
        let directory = try TemporaryDirectory()
        self.directory = directory
        let program = """
            async def application(scope, receive, send):
                if scope["type"] != "http":
                    return
                fields = [(b"content-length", b"5")]
                await send({"type": "http.response.start", "status": \(status), "headers": fields})
                await send({"type": "http.response.body", "body": b"early"})
            """
        _ = try directory.write(Data(program.utf8), to: "early.py")
        (process, port) = try await ServerProcess.onFreePort(.hypercorn, readyWhen: "Running on") { port in
            [
                "-c",
                "import os, sys; os.chdir(sys.argv.pop(1)); sys.path.insert(0, '.'); "
                    + "from hypercorn.__main__ import main; sys.exit(main(sys.argv[1:]))", directory.url.path,
                "--certfile", certificate.certificateFile, "--keyfile", certificate.keyFile,
                "--workers", "0", "--bind", "127.0.0.1:\(port)", "early:application",
            ]
        }
    }

    func url() throws -> URL { try URL.of("https://localhost:\(port)/") }
}
