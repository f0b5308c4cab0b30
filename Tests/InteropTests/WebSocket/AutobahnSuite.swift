import Errand
import ErrandWebSocket
import TestSupport
import Testing

private let environment = ProcessInfo.processInfo.environment
/// The server of the suite.
private let server = environment["ERRAND_AUTOBAHN_SERVER"].flatMap(URL.init(string:))

/// The Autobahn test suite for WebSockets. `.ci/deep-steps/autobahn` installs and starts its server.
///
/// The server sends messages and faults, and judges the responses. A client returns each message.
@Suite(.enabled(if: server != nil), .timeLimit(.minutes(120))) struct `Public suite: Autobahn` {
    /// The server's judgement of one case: of what the client sent, and of how it closed the connection.
    private struct Judgement: Decodable, Sendable {
        var behavior: String
        var behaviorClose: String
    }

    private final class Echo: APIBase, WebSocketRequest {
        init(_ path: String, case number: Int? = nil) {
            super.init()
            baseURL = server
            self.path = RequestPath(path)
            query = ["case": number, "agent": "Errand"]
        }

        func startWebSocket() -> WebSocket<WebSocketMessage, WebSocketMessage> {
            webSocket(.messages)
        }
    }

    @Test func `no Autobahn case fails`() async throws {
        var count = 0
        for try await message in Echo("/getCaseCount").startWebSocket() {
            if case .text(let text) = try message.get() { count = Int(text) ?? 0 }
        }
        #expect(count > 0)
        for number in 0..<count { await echo(number + 1) }
        for try await _ in Echo("/updateReports").startWebSocket() {}
        let file = URL(fileURLWithPath: try #require(environment["ERRAND_AUTOBAHN_RESULTS"]))
        let results = try FastJSONDecoder().decode([String: [String: Judgement]].self, from: Data(contentsOf: file))
        let cases = try #require(results["Errand"])
        #expect(cases.count == count)
        for kind in Set(cases.values.map(\.behavior)).sorted() {
            print("Autobahn: \(cases.values.count { $0.behavior == kind }) \(kind)")
        }
        let allowed = ["OK", "NON-STRICT", "INFORMATIONAL"]
        let failed = cases.filter { !allowed.contains($0.value.behavior) || !allowed.contains($0.value.behaviorClose) }
        #expect(failed.mapValues { [$0.behavior, $0.behaviorClose] } == [:])
    }

    /// Sends each message of a case back until the connection ends. In many cases, it ends with an error: the server
    /// judges how the client reacts to a fault.
    private func echo(_ number: Int) async {
        let socket = Echo("/runCase", case: number).startWebSocket()
        do {
            for try await message in socket { try await socket.send(message.get()) }
        } catch {}
    }
}
