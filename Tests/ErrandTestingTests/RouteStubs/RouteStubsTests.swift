import Errand
import ErrandTesting
import TestSupport
import Testing

struct `Stubs by route` {
    let stubs = RouteStubs(baseURL: URL(string: "https://shelf.example.com/v1"))

    @Test func `route stubs respond to the requests of a whole API class`() async throws {
        stubs.on(.get, "/volumes", try .json(encodable: [Volume.first, .second]))
        stubs.on(.get, "/volumes/:id") { request in
            try .json(encodable: Volume(id: Int(request.parameters["id"] ?? "") ?? 0))
        }
        try await stubs.run { () async throws in
            #expect(try await VolumesRequest().start().value == [.first, .second])
            #expect(try await VolumeRequest(7).start().value.id == 7)
        }
        #expect(stubs.requests.map(\.target) == ["/v1/volumes", "/v1/volumes/7"])
        #expect(stubs.requests.map { $0.parameters["id"] } == [nil, "7"])
    }

    @Test func `a route stub receives the complete request`() async throws {
        stubs.on(.post, "/volumes") { request in .json(request.body, statusCode: 201) }
        try await stubs.run { () async throws in
            let request = AddVolumeRequest(.first)
            request.query = ["notify": "yes & no"]
            request.headers["X-Shelf"] = "7"
            #expect(try await request.start().value == .first)
        }
        let seen = try await stubs.takeRequest()
        #expect(seen.method == .post)
        #expect(seen.path == "/v1/volumes")
        #expect(seen.queryItems == [URLQueryItem(name: "notify", value: "yes & no")])
        #expect(seen.headers["X-Shelf"] == "7")
        #expect(seen.headers["Host"] == "shelf.example.com")
        #expect(seen.headers["Content-Type"] == "application/json")
        #expect(try JSONDecoder().decode(Volume.self, from: seen.body) == .first)
    }

    @Test func `requests to stubs are taken in order of arrival, each once`() async throws {
        stubs.on(.get, "/volumes/:id", try .json(encodable: Volume.first), times: .any)
        try await stubs.run { () async throws in
            for id in 1...2 { _ = try await VolumeRequest(id).start().value }
        }
        #expect(try await stubs.takeRequest(within: .zero, clock: ManualClock()).path == "/v1/volumes/1")
        #expect(try await stubs.takeRequest(within: .zero, clock: ManualClock()).path == "/v1/volumes/2")
    }

    @Test(.hangGuard) func `taking a request from stubs fails after the limit and lists the requests`() async throws {
        let clock = ManualClock()
        stubs.on(.get, "/volumes", try .json(encodable: [Volume.first]))
        try await stubs.run { () async throws in _ = try await VolumesRequest(["token": "sesame"]).start().value }
        _ = try await stubs.takeRequest()
        let waiting = Task { try await stubs.takeRequest(within: .seconds(3), clock: clock) }
        try await clock.waitForSleepers()
        clock.advance(by: .seconds(3))
        let error = await #expect(throws: MockMismatch.self) { try await waiting.value }
        #expect(
            error?.description == """
                no untaken request arrived within 3.0 seconds
                requests so far:
                  GET /v1/volumes?token
                """)
    }

    @Test func `a route stub receives a streamed request body`() async throws {
        stubs.on(.put, "/upload") { request in .data(request.body, contentType: "text/plain") }
        try await stubs.run { () async throws in
            let request = ShelfRequest("/upload")
            request.method = .put
            let pieces = AsyncStream { continuation in
                for piece in ["one ", "two"] { continuation.yield(Data(piece.utf8)) }
                continuation.finish()
            }
            request.body = .stream(BodyStream(pieces), type: .plainText)
            #expect(try await request.start().value.data == Data("one two".utf8))
        }
    }

    @Test func `the latest matching stub is used first`() async throws {
        stubs.on(.get, "/volumes/:id", try .json(encodable: Volume.first), times: .any)
        stubs.on(.get, "/volumes/2", try .json(encodable: Volume.second))
        try await stubs.run { () async throws in
            #expect(try await VolumeRequest(2).start().value == .second)
            #expect(try await VolumeRequest(1).start().value == .first)
        }
    }

    @Test func `a stub with a list of responses serves successive attempts in turn`() async throws {
        stubs.on(
            .post, "/volumes",
            inTurn: [.failure(.networkConnectionLost), .status(503), try .json(encodable: Volume.first)])
        try await stubs.run { () async throws in
            let request = AddVolumeRequest(.first)
            request.retryPolicy = .immediate
            request.retryPolicy?.addsIdempotencyKey = true
            #expect(try await request.start().value == .first)
        }
        #expect(stubs.requests.count == 3)
        #expect(Set(stubs.requests.map { $0.headers["Idempotency-Key"] }).count == 1)
    }

    @Test func `after an exhausted stub, an earlier matching stub is used`() async throws {
        stubs.on(.get, "/volumes/1", try .json(encodable: Volume.first))
        stubs.on(.get, "/volumes/1", .status(503), times: .once)
        try await stubs.run { () async throws in
            _ = await thrown { _ = try await VolumeRequest(1).start().value }
            #expect(try await VolumeRequest(1).start().value == .first)
        }
    }

    @Test func `an exhausted stub without an alternative fails with a reason`() async throws {
        stubs.on(.get, "/volumes/1", inTurn: [try .json(encodable: Volume.first)])
        let failure = await thrown(StubFailure.self) {
            try await stubs.run { () async throws in
                _ = try await VolumeRequest(1).start().value
                let error = await thrown { _ = try await VolumeRequest(1).start().value }
                #expect(error?.code == .stubsExhausted)
                #expect(error?.reason?.contains("may be used once, and was requested again") == true)
            }
        }
        #expect(failure?.problems.map(\.kind) == [.unexpectedRequest])
    }

    @Test func `a stub can fail with a network error`() async throws {
        stubs.on(.get, "/volumes", .failure(.notConnectedToInternet))
        try await stubs.run { () async throws in
            let error = await thrown { _ = try await VolumesRequest().start().value }
            #expect(error?.code == .transportFailed)
            #expect((error?.underlyingError as? URLError)?.code == .notConnectedToInternet)
            #expect(error?.attempts == 1)
        }
    }

    @Test func `a stub fails with the error that its handler throws`() async throws {
        stubs.on(.get, "/volumes") { _ in throw URLError(.cannotFindHost) }
        try await stubs.run { () async throws in
            let error = await thrown { _ = try await VolumesRequest().start().value }
            #expect((error?.underlyingError as? URLError)?.code == .cannotFindHost)
        }
    }

    @Test func `stubs follow redirects to other stubs`() async throws {
        stubs.on(.post, "/old", .status(303).with(header: "Location", "/v1/volumes/2"))
        stubs.on(.get, "/volumes/2", try .json(encodable: Volume.second))
        try await stubs.run { () async throws in
            let request = AddVolumeRequest(.first)
            request.path = "/old"
            #expect(try await request.start().value == .second)
        }
        #expect(stubs.requests.last?.body.isEmpty == true)
        #expect(stubs.requests.last?.headers["Content-Type"] == nil)
    }

    @Test func `stubs do not follow redirects that the request ignores`() async throws {
        stubs.on(.get, "/old", .status(302).with(header: "Location", "/v1/new"))
        let response = try await stubs.run { () async throws in
            let request = Bare("/old")
            request.redirectPolicy = .ignore
            return try await request.start().value
        }
        #expect(response.statusCode == 302)
    }

    @Test func `stubs do not match requests to another host than the API's`() async throws {
        stubs.on(.get, "/volumes", .status(200), times: .any)
        _ = await thrown(StubFailure.self) {
            try await stubs.run { () async throws in
                let request = VolumesRequest()
                request.baseURL = URL(string: "https://other.example.com/v1")
                _ = try await request.start().value
            }
        }
    }

    @Test func `stubs send no body where HTTP forbids one`() async throws {
        stubs.on(.head, "/volumes", .text("never"))
        stubs.on(.get, "/gone", .text("never", statusCode: 204))
        try await stubs.run { () async throws in
            let head = Bare("/volumes")
            head.method = .head
            #expect(try await head.start().value.data.isEmpty)
            #expect(try await Bare("/gone").start().value.data.isEmpty)
        }
    }

    @Test func `stubs respect the maximum body size of the request`() async throws {
        stubs.on(.get, "/volumes", .text("12345"))
        try await stubs.run { () async throws in
            let request = Bare("/volumes")
            request.maximumBodySize = 4
            let error = await thrown { _ = try await request.start().value }
            #expect((error?.underlyingError as? URLError)?.code == .dataLengthExceedsMaximum)
        }
    }

    @Test func `a request with its own stub does not use the route stubs`() async throws {
        try await stubs.run { () async throws in
            let request = VolumesRequest()
            request.dataTaskPipeline = request.stubJSONResponse(data: Data("[]".utf8))
            #expect(try await request.start().value == [])
        }
        #expect(stubs.requests.isEmpty)
    }
}

/// A request whose response is not validated.
private final class Bare: APIBase, Request {
    init(_ path: RequestPath) {
        super.init()
        baseURL = URL(string: "https://shelf.example.com/v1")
        self.path = path
    }

    func start() -> Pipeline<DataResponse, any Error> {
        sendRequest()
    }
}
