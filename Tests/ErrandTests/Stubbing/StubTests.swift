import Errand
import TestSupport
import Testing

struct `A stub` {
    let fixture = Data(#"[{"id": 1, "name": "Ada"}]"#.utf8)

    @Test func `a stub responds with an HTTPURLResponse and data`() async throws {
        let request = UsersRequest()
        let url = try #require(URL(string: "https://example.com/final"))
        let head = try #require(
            HTTPURLResponse(
                url: url, statusCode: 200, httpVersion: nil, headerFields: ["Content-Type": "application/json"]))
        request.dataTaskPipeline = request.stub(with: head, data: fixture)
        #expect(try await request.start().value.count == 1)
        let response = try await request.sendRequest().value
        #expect(response.url == url)
        #expect(response.httpURLResponse?.statusCode == 200)
        #expect(response.httpURLResponse?.value(forHTTPHeaderField: "content-type") == "application/json")
    }

    @Test func `a run whose stub was set after the start fails and sends nothing`() async throws {
        let transport = RecordingTransport()
        let request = UsersRequest()
        request.session = transport
        let users = request.start()
        request.dataTaskPipeline = request.stubResponse(
            statusCode: 200, data: fixture, headers: ["Content-Type": "application/json"])
        let error = await expectFailure(.invalidSetting) { try await users.value }
        #expect(error?.reason?.hasPrefix("a stub was set after the start") == true)
        #expect(transport.sent.elements.isEmpty)
        // Another start uses it.
        #expect(try await request.start().value.count == 1)
    }

    @Test func `a stub responds with a status, header fields and a body`() async throws {
        let request = UsersRequest()
        request.dataTaskPipeline = request.stubResponse(
            statusCode: 201, data: Data("x".utf8), headers: ["X-Tag": "a", "Content-Type": "Application/JSON"])
        let response = try await request.sendRequest().value
        #expect(response.statusCode == 201)
        #expect(response.headers["x-tag"] == "a")
        #expect(response.data == Data("x".utf8))
        #expect(response.url == request.request?.url)
        #expect(response.method == .get)
    }

    @Test func `a stub with a line break in a header field fails its request`() async throws {
        let headers: HeaderFields = ["X-Tag": "a\r\nX-Other: b"]
        let request = UsersRequest()
        for stub in [
            request.stubResponse(headers: headers), request.stubJSONResponse(data: fixture, headers: headers),
            request.stubStream(headers: headers, ["[]"]),
        ] {
            request.dataTaskPipeline = stub
            let error = await expectFailure(.invalidHeaderField) { try await request.start().value }
            #expect(
                error?.reason
                    == "the stub responds with a line break in the header field \"X-Tag\", which no server can send")
        }
    }

    @Test func `a JSON stub keeps a content type that the test sets`() async throws {
        let request = UsersRequest()
        request.dataTaskPipeline = request.stubJSONResponse(data: fixture, headers: ["content-type": "text/html"])
        await expectFailure(.unacceptableContentType) { try await request.start().value }
    }

    @Test func `a stubbed response is validated, retried and decoded as a real response`() async throws {
        let request = UsersRequest()
        request.dataTaskPipeline = request.stub(inTurn: [
            request.stub(error: URLError(.networkConnectionLost)),
            request.stubJSONResponse(statusCode: 503, data: Data("{}".utf8)),
            request.stubJSONResponse(data: fixture),
        ])
        let outcomes = Recorder<Int>()
        let pipeline = request.sendRequest().handleEvents(receiveOutput: { outcomes.record($0.statusCode) })
            .decode([User].self).retry(2)
        #expect(try await pipeline.value == [User(id: 1, name: "Ada")])
        #expect(outcomes.elements == [200])
    }

    @Test func `a stubbed failure of a request with a stream body is not retried`() async {
        let request = UsersRequest()
        request.method = .post
        request.body = .stream(BodyStream(InputStream(data: Data("x".utf8)), count: 1))
        request.dataTaskPipeline = request.stub(error: URLError(.networkConnectionLost))
        let error = await expectFailure(.transportFailed) { try await request.start().retry(3).value }
        #expect(error?.attempts == 1)
    }

    @Test func `a stub counts the attempts of each run separately`() async throws {
        let request = UsersRequest()
        request.dataTaskPipeline = request.stubJSONResponse(data: fixture)
        let pipeline = request.sendRequest()
        #expect(try await pipeline.value.attempts == 1)
        #expect(try await pipeline.value.attempts == 1)
        #expect(try await pipeline.retry(2).value.attempts == 1)
    }

    @Test func `a list of stubs that is too short fails with an explanation`() async {
        let request = UsersRequest()
        request.dataTaskPipeline = request.stub(inTurn: [request.stubResponse(statusCode: 500)])
        let error = await expectFailure(.stubsExhausted) { try await request.start().retry(1).value }
        #expect(error?.reason == "all stubs (1) are used, and attempt 2 needs another")
    }

    @Test func `a stub reports the transfer progress of its bodies`() async throws {
        let request = UsersRequest()
        request.method = .post
        request.body = .data(Data(count: 5))
        request.dataTaskPipeline = request.stubJSONResponse(data: fixture)
        _ = try await request.start().value
        #expect(request.uploadProgress.latest == .init(completed: 5, total: 5))
        #expect(request.downloadProgress.latest?.completed == Int64(fixture.count))
        var seen: [Double?] = []
        for await snapshot in request.downloadProgress { seen.append(snapshot.fractionCompleted) }
        #expect(seen == [1])
    }

    @Test func `requests that follow each other inside one retry count their own attempts`() async throws {
        let counts = Recorder<Int>()
        @Sendable func send() -> Pipeline<DataResponse, any Error> {
            let request = UsersRequest()
            request.dataTaskPipeline = request.stubJSONResponse(data: fixture)
            return request.sendRequest()
        }
        // Each pipeline is released before the next one is made, so a count by address would be shared.
        _ = try await send()
            .flatMap { response in
                counts.record(response.attempts)
                return send()
            }
            .flatMap { response in
                counts.record(response.attempts)
                return send()
            }
            .map { counts.record($0.attempts) }
            .retry(1).value
        #expect(counts.elements == [1, 1, 1])
    }
}
