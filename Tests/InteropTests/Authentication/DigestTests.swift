import Errand
import Testing

struct `Digest with Apache` {
    /// A request that responds to a challenge as this user.
    private func request(_ url: URL, as user: String, _ password: String, method: String = "GET") -> TransportRequest {
        var request = TransportRequest.get(url)
        request.urlRequest.httpMethod = method
        request.digestCredential = PasswordCredential(user: user, password: password)
        return request
    }

    @Test(.interop(.apache2)) func `Apache accepts an uploaded file after its Digest challenge`() async throws {
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

    @Test(.interop(.apache2)) func `Apache rejects an unknown user`() async throws {
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
