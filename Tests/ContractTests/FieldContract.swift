import Errand
import ErrandMockServer
import ErrandTesting
import TestSupport
import Testing

@Suite(.hangGuard) struct `Contract: response heads and header fields` {
    let server: MockServer

    init() throws {
        server = try MockServer()
    }

    private func receive(over transport: TransportUnderTest, _ response: MockResponse) async throws -> DataResponse {
        server.onAny { _ in response }
        return try await transport.probe(server).start().value
    }

    @Test(arguments: TransportUnderTest.without(.repeatedFields))
    func `repeated header fields are kept separate and in order`(_ transport: TransportUnderTest) async throws {
        let response = try await receive(
            over: transport,
            .text("x").with(header: "X-Tag", "a").with(header: "X-Between", "y").with(header: "x-tag", "b"))
        #expect(response.headers[values: "X-Tag"] == ["a", "b"])
    }

    @Test(arguments: TransportUnderTest.allCases)
    func `several Set-Cookie fields are kept separate and in order`(_ transport: TransportUnderTest) async throws {
        let cookies = ["a=1; Expires=Thu, 01 Jan 2099 00:00:00 GMT", "b=2,3", "c=; Path=/"]
        let response = try await receive(
            over: transport,
            cookies.reduce(.text("x").with(header: "X-Between", "y")) { $0.with(header: "Set-Cookie", $1) })
        #expect(response.headers[values: "Set-Cookie"] == cookies)
    }

    @Test(arguments: TransportUnderTest.allCases, ["X-Request-Id", "x-request-id", "X-REQUEST-ID"])
    func `a header field is found whatever the case of its name`(_ transport: TransportUnderTest, _ name: String)
        async throws
    {
        let response = try await receive(over: transport, .text("x").with(header: "x-Request-iD", "7"))
        #expect(response.headers[name] == "7")
        #expect(response.headers[values: name] == ["7"])
        #expect(response.headers["X-Request"] == nil)
    }

    @Test(arguments: TransportUnderTest.without(.missingReason), ["HTTP/1.1 200\r\n", "HTTP/1.1 200 \r\n"])
    func `a status line without a reason phrase is accepted`(
        _ transport: TransportUnderTest, _ line: String
    ) async throws {
        let response = try await receive(over: transport, .raw("\(line)Content-Length: 2\r\n\r\nok"))
        #expect(response.statusCode == 200)
        #expect(response.data == Data("ok".utf8))
    }

    @Test(arguments: TransportUnderTest.without(.bareLineFeeds))
    func `header lines that end in LF only are accepted`(_ transport: TransportUnderTest) async throws {
        let response = try await receive(
            over: transport, .raw("HTTP/1.1 201 Created\nX-One: 1\nContent-Length: 2\n\nok"))
        #expect(response.statusCode == 201)
        #expect(response.headers["X-One"] == "1")
        #expect(response.data == Data("ok".utf8))
    }

    @Test(arguments: TransportUnderTest.without(.bytesThatAreNoText))
    func `header bytes that are not UTF-8 are read as Latin-1`(_ transport: TransportUnderTest) async throws {
        let head = Data("HTTP/1.1 200 OK\r\nX-Name: caf".utf8) + [0xE9] + Data("\r\nX-Other: é\r\n".utf8)
        let response = try await receive(over: transport, .raw(head + Data("Content-Length: 2\r\n\r\nok".utf8)))
        #expect(response.headers["X-Name"] == "café")
        #expect(response.headers["X-Other"] == "é")
        #expect(response.data == Data("ok".utf8))
    }

    @Test(arguments: TransportUnderTest.without(.trailers))
    func `trailers after a chunked body are not added to the header fields`(
        _ transport: TransportUnderTest
    ) async throws {
        let response = try await receive(
            over: transport,
            .chunked([Data("one".utf8), Data("two".utf8)], trailers: ["X-Checksum": "7", "X-Two": "8"]))
        #expect(response.data == Data("onetwo".utf8))
        #expect(response.headers["X-Checksum"] == nil)
        #expect(response.headers["Transfer-Encoding"] == "chunked")
    }

    @Test(arguments: TransportUnderTest.without(.closeInsideTheHead), [5, 17, 30])
    func `a connection that closes inside the head fails the request`(
        _ transport: TransportUnderTest, _ count: Int
    ) async throws {
        server.onAny { _ in .text("hello").with(fault: .closeInHead(after: count)) }
        await expectTransportFailure(.networkConnectionLost) { try await transport.probe(server).start().value }
    }

    static let longHeads = [
        "X-Long: " + String(repeating: "x", count: 200_000) + "\r\n",
        String(repeating: "X-Short: " + String(repeating: "x", count: 40) + "\r\n", count: 10_000),
    ]

    @Test(arguments: TransportUnderTest.without(.endlessHead), longHeads.indices)
    func `an overlong response head fails the request and closes the connection`(
        _ transport: TransportUnderTest, _ head: Int
    ) async throws {
        server.onAny { _ in .raw("HTTP/1.1 200 OK\r\n" + Self.longHeads[head] + "\r\n").with(closesConnection: false) }
        let request = transport.probe(server)
        await expectTransportFailure(.dataLengthExceedsMaximum) { try await request.start().value }
        try await server.waitUntil(openConnections: 0)
    }

    @Test(arguments: TransportUnderTest.allCases)
    func `informational responses are skipped`(_ transport: TransportUnderTest) async throws {
        let response = try await receive(
            over: transport,
            .raw("HTTP/1.1 103 Early Hints\r\nLink: </x>\r\n\r\nHTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok"))
        #expect(response.statusCode == 200)
        #expect(response.data == Data("ok".utf8))
    }

    @Test(arguments: TransportUnderTest.allCases)
    func `a duplicate Content-Length with the same value is accepted`(_ transport: TransportUnderTest) async throws {
        let response = try await receive(
            over: transport, .raw("HTTP/1.1 200 OK\r\nContent-Length: 2\r\nContent-Length: 2\r\n\r\nok"))
        #expect(response.data == Data("ok".utf8))
    }

    @Test(
        arguments: TransportUnderTest.without(.contradictingLengths),
        ["Content-Length: 2\r\nContent-Length: 5\r\n", "Content-Length: 2, 5\r\n"])
    func `two different Content-Length values fail the request`(
        _ transport: TransportUnderTest, _ fields: String
    ) async throws {
        await expectTransportFailure(.cannotParseResponse) {
            try await receive(over: transport, .raw("HTTP/1.1 200 OK\r\n\(fields)\r\nokmore"))
        }
    }

    @Test(arguments: TransportUnderTest.allCases)
    func `a HEAD response keeps its Content-Length and has no body`(_ transport: TransportUnderTest) async throws {
        server.onAny { _ in .text(String(repeating: "x", count: 100_000)) }
        let response = try await transport.probe(server, method: .head).start().value
        #expect(response.headers["Content-Length"] == "100000")
        #expect(response.data.isEmpty)
        #expect(try await transport.probe(server).start().value.data.count == 100_000)
    }
}
