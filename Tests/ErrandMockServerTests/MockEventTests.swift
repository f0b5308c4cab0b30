import Errand
import TestSupport
import Testing

@testable import ErrandMockServer
@testable import ErrandTesting

@Suite(.hangGuard) struct `Mock events` {
    @Test(
        arguments: [
            ("one", "data: one\n\n"), (.event("a\nb\r\nc\rd"), "data: a\ndata: b\ndata: c\ndata: d\n\n"),
            (.event(""), "data: \n\n"),
            (
                .event("x", name: "update", id: "7", retry: .milliseconds(1_500)),
                "event: update\nid: 7\nretry: 1500\ndata: x\n\n"
            ),
            (.event("x", name: "a\nb", id: "c\r\nd"), "event: a b\nid: c d\ndata: x\n\n"),
            (.retry(.seconds(2)), "retry: 2000\n\n"), (.retry(.seconds(-2)), "retry: 0\n\n"),
            (.retry(.seconds(Int64.max)), "retry: 9223372036854775807\n\n"),
            (.comment("still\nhere"), ": still\n: here\n\n"), (.raw("data: x"), "data: x"), (.pause {}, ""),
        ] as [(MockEvent, String)])
    func `a mock event is written in the format of the standard`(_ event: MockEvent, _ text: String) {
        #expect(event.text == text)
    }

    private func body(_ client: RawClient) async throws -> String {
        let whole = try await client.readToEnd().text
        return String(whole.split(separator: "\r\n\r\n", maxSplits: 1).last ?? "")
    }

    @Test func `a mock event stream is sent again for each response and ends after its last event`() async throws {
        let server = try MockServer()
        let response = MockResponse.serverSentEvents(["one", "two"]).with(closesConnection: true)
        server.on(.get, "/", inTurn: [response], repeatingLast: true)
        for _ in 0..<2 {
            let client = try await RawClient.connect(to: server.url)
            try await client.send(Wire.request("GET", "/"))
            #expect(
                try await body(client) == "b\r\ndata: one\n\n\r\nb\r\ndata: two\n\n\r\n0\r\n\r\n")
        }
    }

    @Test func `a pause delays the next mock event, and the stream can stay open`() async throws {
        let gate = Gate()
        let server = try MockServer()
        server.on(.get, "/") { _ in
            .serverSentEvents(["one", .pause { try await gate.pass() }, "two"], staysOpen: true)
        }
        let client = try await RawClient.connect(to: server.url)
        try await client.send(Wire.request("GET", "/"))
        #expect(try await client.read(through: "\n\n\r\n").hasSuffix("data: one\n\n\r\n"))
        try await gate.waitForArrivals(1)
        gate.open()
        #expect(try await client.read(through: "\n\n\r\n") == "b\r\ndata: two\n\n\r\n")
        #expect(server.openConnections == 1)
        client.end()
        try await server.waitUntil(openConnections: 0)
    }
}
