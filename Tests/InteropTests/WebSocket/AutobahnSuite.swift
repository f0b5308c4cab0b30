import Errand
import TestSupport
import Testing

/// The server of the suite, and the file of its results.
private let environment = ProcessInfo.processInfo.environment
private let server = environment["ERRAND_AUTOBAHN_SERVER"].flatMap(URL.init(string:))

/// The Autobahn test suite for WebSockets. `.ci/deep-steps/autobahn` installs and starts its server.
///
/// The server sends messages and faults, and judges the responses. A client returns each message.
@Suite("Public suite: Autobahn", .enabled(if: server != nil), .timeLimit(.minutes(60)))
struct AutobahnSuite {
    /// The server's judgement of one case: what the client sent, and how it closed.
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

    @Test func `no case fails`() async throws {
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

    /// Returns the messages of a case until the connection ends. Many cases end with an error, which the server judges.
    private func echo(_ number: Int) async {
        let socket = Echo("/runCase", case: number).startWebSocket()
        do {
            for try await message in socket { try await socket.send(message.get()) }
        } catch {}
    }
}
