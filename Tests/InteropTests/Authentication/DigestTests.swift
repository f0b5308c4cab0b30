import Errand
import Testing

@Suite("Digest") struct DigestTests {
    /// A request that meets a challenge as this user.
    private func request(_ url: URL, as user: String, _ password: String, method: String = "GET") -> TransportRequest {
        var request = TransportRequest.get(url)
        request.urlRequest.httpMethod = method
        request.digestCredential = PasswordCredential(user: user, password: password)
        return request
    }

    private func httpbin() async throws -> (process: ServerProcess, base: String) {
        let (process, port) = try await ServerProcess.onFreePort(.httpbin, readyWhen: "Running on") { port in
            ["-u", "-m", "httpbin.core", "--host", "127.0.0.1", "--port", "\(port)"]
        }
        return (process, "http://127.0.0.1:\(port)/digest-auth")
    }

    @Test(.interop(.httpbin), arguments: ["MD5", "SHA-256"], ["auth", "auth-int"])
    func `httpbin takes the digest of every algorithm`(_ algorithm: String, _ quality: String) async throws {
        let (process, base) = try await httpbin()
        defer { withExtendedLifetime(process) {} }
        let url = try URL.of("\(base)/\(quality)/ursula/hunter2/\(algorithm)")
        let transport = CurlTransport.direct()
        #expect(try await transport.send(request(url, as: "ursula", "hunter2")).statusCode == 200)
        #expect(try await transport.send(request(url, as: "ursula", "wrong")).statusCode == 401)
        #expect(try await transport.get(url).statusCode == 401)
    }

    @Test(.interop(.apache2)) func `Apache takes a file that is put there after its challenge`() async throws {
        let server = try await Apache()
        let transport = CurlTransport.direct()
        let content = Data((0..<300_000).map { UInt8(truncatingIfNeeded: $0 &* 7) })

        var upload = request(try server.url("/data"), as: "ursula", "hunter2", method: "PUT")
        upload.urlRequest.httpBody = content
        #expect(try await transport.send(upload).statusCode == 201)

        var stream = request(try server.url("/stream"), as: "ursula", "hunter2", method: "PUT")
        stream.bodyStream = BodyStream(InputStream(data: content))
        #expect(try await transport.send(stream).statusCode == 201)

        for name in ["/data", "/stream"] {
            let response = try await transport.send(request(try server.url(name), as: "ursula", "hunter2"))
            #expect(response.statusCode == 200)
            #expect(response.data == content)
        }
    }

    @Test(.interop(.apache2)) func `Apache refuses whoever it does not know`() async throws {
        let server = try await Apache()
        let transport = CurlTransport.direct()
        for method in ["GET", "PUT"] {
            let stranger = request(try server.url("/new"), as: "karl", "hunter2", method: method)
            #expect(try await transport.send(stranger).statusCode == 401)
        }
        #expect(try await transport.get(server.url("/new")).statusCode == 401)
        #expect(!FileManager.default.fileExists(atPath: server.directory.path("new")))
    }
}
