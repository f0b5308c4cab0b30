import Errand
import TestSupport
import Testing

struct `Awaited header fields` {
    private final class Fetch: APIBase, Request {
        init(_ transport: RecordingTransport) {
            super.init()
            baseURL = URL(string: "https://library.example.com")
            session = transport
        }

        func start() -> Pipeline<DataResponse, any Error> { sendRequest() }
    }

    private static let service = APIService(
        baseURL: "https://library.example.com",
        headers: HeaderFields([.init("Cookie", "a=0"), .init("Cookie", "b=0")]),
        asynchronousHeaders: { HeaderFields([.init("Cookie", "a=1"), .init("cookie", "b=2")]) })

    private static let repeated = HeaderFields([
        .init("Cookie", "a=1"), .init("Accept", "text/html"), .init("Cookie", "b=2"), .init("accept", "text/plain"),
    ])

    private func field(_ name: String, _ transport: RecordingTransport) throws -> String? {
        try #require(transport.sent.elements.first).urlRequest.value(forHTTPHeaderField: name)
    }

    @Test func `repeated asynchronous header fields are joined like those of the request`() async throws {
        let (transport, other) = (RecordingTransport(), RecordingTransport())
        let request = Fetch(transport)
        request.asynchronousHeaders = { Self.repeated }
        _ = try await request.start().value
        let plain = Fetch(other)
        plain.headers = Self.repeated
        _ = try await plain.start().value
        for transport in [transport, other] {
            #expect(try field("Cookie", transport) == "a=1; b=2")
            #expect(try field("Accept", transport) == "text/html, text/plain")
        }
    }

    @Test func `asynchronous fields of a service replace its repeated cookies`() async throws {
        let transport = RecordingTransport()
        _ = try await Fetch(transport).schedule(with: Self.service).value
        #expect(try field("Cookie", transport) == "a=1; b=2")
    }

    @Test func `asynchronous header fields keep the case of their names`() async throws {
        let transport = RecordingTransport()
        let request = Fetch(transport)
        request.asynchronousHeaders = { ["X-API-Key": "k"] }
        _ = try await request.start().value
        let fields = try #require(transport.sent.elements.first).urlRequest.allHTTPHeaderFields
        #expect(fields?["X-API-Key"] == "k")
    }
}
