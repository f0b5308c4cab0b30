import Errand
import TestSupport
import Testing

@testable import ErrandWebSocket

struct `A hostile message` {
    private struct Nested: Decodable, Sendable {
        var a: [Nested]?
    }

    static let documents: [String] = [
        String(repeating: "[", count: 100_000), String(repeating: "{\"a\":", count: 100_000),
        "{\"a\": " + String(repeating: "9", count: 1_000_000) + "}", "\"" + String(repeating: "\\", count: 1_000_000),
        "\"\\ud800\"", String(repeating: "\0", count: 100_000), "[" + String(repeating: ",", count: 1_000_000) + "]",
    ]

    @Test(arguments: documents.indices)
    func `a hostile document in a message is a failed element`(_ index: Int) async throws {
        let element = WebSocketCoding<Nested, String>.json().element(.text(Self.documents[index]))
        let error = await expectFailure(.decodingFailed) { try element.get() }
        #expect(try #require(error?.reason).count < 200)
    }
}
