import Errand
import ErrandAuth
import ErrandMockServer
import ErrandResilience
import ErrandTesting
import ErrandWebSocket
import ErrandWebSocketTesting
import Foundation

struct Book: Codable, Sendable, Equatable {
    var id: Int
    var title: String
}

let server: MockServer = {
    guard let server = try? MockServer() else { fatalError("no server") }
    server.onAny { request in
        switch request.path {
        case "/missing": .status(404, json: ["error": "no such book"])
        case "/broken": .status(503)
        case "/text": .text("hello")
        default: .json(#"{"id": 7, "title": "Tehanu"}"#)
        }
    }
    return server
}()

class API: APIBase {
    override init() {
        super.init()
        baseURL = server.url
        acceptedStatusCodes = .successful
        headers = ["X-Api": "1"]
        query = ["api_key": "k"]
        interceptors = [BearerAuthentication(token: "abc")]
    }
}

@MainActor func show<Value>(_ what: String, _ body: () async throws -> Value) async {
    do { print("  \(what):", try await body()) } catch { print("  \(what) threw:", error) }
}

/// Prints what the server received, without the header fields that differ or that every request has.
func seen() {
    let usual = ["host", "user-agent", "accept-encoding", "connection", "sec-websocket-key", "traceparent"]
    let lines = server.requests.map { request in
        let fields = request.headers.filter { !usual.contains($0.name.lowercased()) }.map { "\($0.name): \($0.value)" }
        let body = String(decoding: request.body, as: UTF8.self).prefix(80)
        return "  -> \(request.method) \(request.target) [\(fields.sorted().joined(separator: ", "))] \(body)"
    }
    for line in lines.sorted() { print(line.trimmingCharacters(in: .whitespaces)) }
}
