import Errand
import ErrandTesting
import TestSupport
import Testing

/// The error of a request that cannot be built.
@Suite(.hangGuard) struct `The error of a request that cannot be built` {
    private func line(_ spoil: (UsersRequest) -> Void) async -> String {
        let request = UsersRequest()
        request.session = RecordingTransport()
        request.baseURL = URL(string: "https://user:pw@api.example.com/v1?key=secret")
        request.method = .put
        spoil(request)
        do {
            _ = try await request.sendRequest().value
            return "sent"
        } catch {
            return "\(error)"
        }
    }

    private static let v1 = "PUT https://api.example.com/v1"

    @Test func `a build error contains method, URL and the invalid property`() async {
        let id = ""
        #expect(
            await line { $0.path = "/books/\(id)/pages" }
                == "\(Self.v1)/books//pages: invalidURL: a segment of `path` is empty")
        #expect(
            await line { $0.path = "/books/../users" }
                == "\(Self.v1)/books/../users: invalidURL: `path` has a segment of dots, which leads out of the base URL"
        )
        #expect(
            await line { $0.query = ["price": Double.nan] }
                == "\(Self.v1)/users: invalidURL: the query item price is not a finite number")
        #expect(
            await line { $0.headers["X-A"] = "a\nb" }
                == "\(Self.v1)/users: invalidHeaderField: `headers`: the value of X-A has a control character")
        #expect(
            await line { $0.timeoutInterval = 0 }.hasSuffix(
                "/users?key=***: invalidTimeout: `timeoutInterval` must be a number above zero"))
        #expect(
            await line { $0.body = .json(["price": Double.nan]) }.hasPrefix(
                "\(Self.v1)/users: bodyEncodingFailed: `body`: "))
    }

    @Test func `a build error shows no query, user or URL that was set as the path`() async {
        for path in ["/users?token=secret", "/users#secret", "https://me:secret@other.example/secret"] {
            let line = await line { $0.path = RequestPath(path) }
            #expect(!line.contains("secret") && !line.contains("pw"), "\(line)")
        }
        #expect(await line { $0.path = "/users?token=secret" }.hasPrefix("\(Self.v1)/users: invalidURL: `path` holds"))
    }

    @Test(arguments: ["api.example.com/v1?key=secret", "//me:secret@api.example.com/v1", "v1#secret"])
    func `a build error shows no secret of a base URL without a scheme`(_ base: String) async {
        for path in ["", "/users"] {
            let line = await line {
                $0.baseURL = URL(string: base)
                $0.path = RequestPath(path)
            }
            #expect(line.contains("invalidURL: `baseURL` must be a URL"), "\(line)")
            #expect(!line.contains("secret"), "\(line)")
        }
    }

    @Test func `a build error without a base URL shows the path and the property to set`() async {
        #expect(
            await line { $0.baseURL = nil }
                == "PUT /users: missingBaseURL: the request has no base URL: set `baseURL` or `url`, "
                + "or send it with a service")
        #expect(
            await line { $0.baseURL = URL(string: "ftp://files.example.com/pub") }
                == "PUT ftp://files.example.com/pub/users: invalidURL: "
                + "`baseURL` must be a URL with the scheme http or https and a host")
        for base in ["http://:80", "http://me@/v1", "http://me:secret@:80/v1", "http://a@b@"] {
            #expect(await line { $0.baseURL = URL(string: base) }.contains("`baseURL` must be a URL"), "\(base)")
        }
        #expect(await line { $0.url = URL(string: "mailto:a@b.example") }.contains("`url` must be a URL"))
        let api = APIBase()
        api.url = URL(string: "https://a.example")
        let error = await expectFailure(.invalidURL) {
            try await api.send(.get("/x", settings: RequestSettings(baseURL: "ftp://b.example"))).value
        }
        #expect(error?.reason?.contains("`baseURL` must be a URL") == true, "\(String(describing: error))")
    }

    @Test func `a build error for an invalid method shows no method`() async {
        let line = await line { $0.method = RequestMethod(rawValue: "GET /x\r\n") }
        #expect(line == "https://api.example.com/v1/users?key=***: invalidMethod: `method` is not a token")
    }

    @Test func `a build error contains the path of a missing file`() async {
        let file = URL(fileURLWithPath: "/nowhere/photo\n1.jpeg")
        for body in [RequestBody.file(file), .file(file, bytes: 0..<1), RequestBody.file(file).encodedWhenSent()] {
            let line = await line { $0.body = body }
            #expect(line.contains(#"`body`: the file "/nowhere/photo\n1.jpeg" does not exist"#), "\(line)")
        }
        let folder = await line { $0.body = .file(URL(fileURLWithPath: "/tmp")) }
        #expect(folder.contains(#"the file "/tmp" is not a regular file"#))
    }

    private struct Unencodable: Encodable {
        func encode(to encoder: any Encoder) throws { throw Fault.first }
    }

    @Test func `a build error names the body that could not be encoded`() async {
        let add = Endpoint<Void>.post("/books", body: .json(["price": Double.infinity]))
        let service = APIService(baseURL: "https://api.example.com")
        let error = await expectFailure(.bodyEncodingFailed) { try await service.send(add).value }
        #expect(error?.reason?.hasPrefix("`body`: ") == true)
        let line = await line { $0.body = .encoded(type: .csv) { throw Fault.first } }
        #expect(line == "\(Self.v1)/users: bodyEncodingFailed: `body` cannot be encoded: Fault")
    }
}

@Suite(.hangGuard) struct `The error of a limit` {
    private let clock = ManualClock()

    private struct EndlessTransport: Transport {
        func send(_ request: TransportRequest) async throws -> DataResponse {
            DataResponse(statusCode: 200, body: ResponseBody { Data("four".utf8) })
        }
    }

    @Test func `the error of a response that is too long contains the limit and its property`() async throws {
        let request = UsersRequest()
        request.maximumBodySize = 3
        request.session = EndlessTransport()
        let error = await expectFailure(.transportFailed) { try await request.sendRequest().value }
        #expect(error?.reason == "the response is longer than allowed; maximumBodySize is 3 bytes")
        #expect((error?.underlyingError as? URLError)?.code == .dataLengthExceedsMaximum)
    }

    private func waiting(_ gate: Gate) -> UsersRequest {
        let request = UsersRequest()
        request.dataTaskPipeline = Pipeline { () async throws(any Error) in
            try await gate.pass()
            return DataResponse(statusCode: 200)
        }
        return request
    }

    @Test func `a pipeline timeout error names the limit`() async throws {
        let gate = Gate()
        let pipeline = waiting(gate).sendRequest().timeout(.seconds(3), clock: clock)
        let task = Task { try await pipeline.value }
        try await gate.waitForArrivals(1)
        try await clock.waitForSleepers()
        clock.advance(by: .seconds(3))
        let error = await expectFailure(.timedOut) { try await task.value }
        #expect(error?.description == "timedOut: the pipeline took longer than 3 s")
    }
}
