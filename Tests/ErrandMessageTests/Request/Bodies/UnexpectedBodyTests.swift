import Errand
import TestSupport
import Testing

struct `A body with a method that has none` {
    /// The methods, and whether they have a body by their definition (RFC 9110, section 9.3).
    static let methods: [(RequestMethod, Bool)] = [
        (.get, false), (.head, false), (.delete, false), ("TRACE", false), (.post, true), (.put, true), (.patch, true),
        (.options, true), ("SEARCH", true),
    ]

    private static let bodies: [RequestBody] = [
        .json(["a": 1]), .data(Data("x".utf8)), .urlEncoded(["a": 1]), .json(["a": 1]).encodedWhenSent(),
    ]

    private func send(_ method: RequestMethod, _ body: RequestBody) async throws -> Int {
        let transport = RecordingTransport()
        let request = Probe(transport, method: method)
        request.body = body
        defer { #expect(transport.sent.elements.count <= 1) }
        _ = try await request.start().value
        return transport.sent.elements.count
    }

    @Test(arguments: methods)
    func `a body is sent only with a method that has one`(_ method: RequestMethod, _ hasBody: Bool) async throws {
        for body in Self.bodies {
            guard !hasBody else {
                #expect(try await send(method, body) == 1)
                continue
            }
            let error = await expectFailure(.unexpectedBody) { try await send(method, body) }
            let reason = "`body` is set, but `method` is \(method), which has no body; "
            #expect(error?.reason == reason + "set another method, or use `withAnyMethod()` of the body")
            #expect(error?.method == method)
        }
    }

    @Test(arguments: methods)
    func `a body that fits any method is sent`(_ method: RequestMethod, _ hasBody: Bool) async throws {
        for body in Self.bodies { #expect(try await send(method, body.withAnyMethod()) == 1) }
    }

    @Test(arguments: methods)
    func `a request without a body is sent with any method`(_ method: RequestMethod, _ hasBody: Bool) async throws {
        #expect(try await send(method, .empty) == 1)
        #expect(try await send(method, RequestBody.empty.withAnyMethod()) == 1)
    }

    @Test func `an endpoint with a body and a method that has none fails before anything is sent`() async throws {
        let transport = RecordingTransport()
        let service = APIService(baseURL: "api.example.com", session: transport)
        let response = service.send(Endpoint<Void>(.get, "/search", body: .json(["query": "x"])))
        let error = await expectFailure(.unexpectedBody) { try await response.value }
        #expect(error?.reason?.hasPrefix("`body` is set, but `method` is GET") == true)
        #expect(transport.sent.elements.isEmpty)
    }
}
