import Errand
import ErrandTesting
import TestSupport
import Testing

/// Every secret of these tests is called `planted`, so that a search of the file shows whether it was recorded.
@Suite(.hangGuard) struct `A secret in the file of a HAR recorder` {
    /// Sends a request through a recorder of bodies, and returns the text of its file.
    private func record(
        _ response: DataResponse = DataResponse(statusCode: 200), to base: String = "https://library.example.com",
        _ change: (AnyRequest) throws -> Void = { _ in }
    ) async throws -> String {
        let folder = try CassetteFolder()
        let recorder = HARRecorder(hosts: ["library.example.com"], bodies: true)
        let request = AnyRequest(try #require(URL(string: base)), "/books")
        request.dataTaskPipeline = .just(response)
        try change(request)
        request.interceptors.append(recorder)
        _ = try await request.start().value
        try recorder.write(to: folder.file())
        let text = try String(contentsOf: folder.file(), encoding: .utf8)
        #expect(text.contains("library.example.com/books"))
        return text
    }

    @Test(arguments: ["Authorization", "Proxy-Authorization", "Cookie", "X-API-Key", "X-Auth-Token"])
    func `a header field of the request is replaced`(_ name: String) async throws {
        let text = try await record { $0.headers = HeaderFields([HeaderFields.Field(name, "Bearer planted")]) }
        #expect(!text.contains("planted") && text.contains(name) && text.contains("***"))
    }

    @Test(arguments: ["Set-Cookie", "X-Auth-Token"])
    func `a header field of the response is replaced`(_ name: String) async throws {
        let text = try await record(
            DataResponse(statusCode: 200, headers: HeaderFields([HeaderFields.Field(name, "planted")])))
        #expect(!text.contains("planted") && text.contains(name))
    }

    @Test(arguments: ["access_token", "api_key", "X-Amz-Signature", "sig", "code"])
    func `a query item is replaced`(_ name: String) async throws {
        let text = try await record { $0.query = URLQuery([URLQueryItem(name: name, value: "planted")]) }
        #expect(!text.contains("planted") && text.contains(name))
    }

    @Test func `the user info of a URL is removed`() async throws {
        let text = try await record(
            DataResponse(statusCode: 200, headers: ["Location": "https://user:planted@library.example.com/next"]),
            to: "https://user:planted@library.example.com")
        #expect(!text.contains("planted") && text.contains("library.example.com/next"))
    }

    @Test func `a form field is replaced`() async throws {
        let text = try await record { request in
            request.method = .post
            request.body = .urlEncoded(["user": "ursula", "password": "planted"])
        }
        #expect(!text.contains("planted") && text.contains("ursula"))
    }

    @Test func `a value of JSON is replaced in both directions`() async throws {
        let json = Data(#"{"name": "ursula", "nested": [{"access_token": "planted"}]}"#.utf8)
        let response = DataResponse(statusCode: 200, headers: ["Content-Type": "application/json"], data: json)
        let text = try await record(response) { request in
            request.method = .post
            request.body = .data(json, type: .json)
        }
        #expect(!text.contains("planted"))
        #expect(text.components(separatedBy: "ursula").count == 3)
    }

    @Test func `the credential of an interceptor is replaced under any name`() async throws {
        let text = try await record { request in
            request.interceptors = [
                APIKeyAuthentication("planted", in: .header("X-Tenant-Stamp")),
                APIKeyAuthentication("planted", in: .query("appid")),
            ]
        }
        #expect(!text.contains("planted") && text.contains("X-Tenant-Stamp") && text.contains("appid"))
    }

    @Test func `a body of another type is not recorded`() async throws {
        let html = DataResponse(
            statusCode: 200, headers: ["Content-Type": "text/html"], data: Data("<input value=planted>".utf8))
        let text = try await record(html) { request in
            request.method = .post
            request.body = .data(Data("planted".utf8), type: "text/plain")
        }
        #expect(!text.contains("planted") && text.contains("text/html") && text.contains("text/plain"))
    }
}
