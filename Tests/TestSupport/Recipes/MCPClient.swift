// The client of the guide "Model Context Protocol", verbatim. Its declarations are internal, as in a user's program, so
// tests import this module with `@testable`.
import Errand

/// A client of the Model Context Protocol, revision 2025-11-25, over streamable HTTP.
struct MCPClient: Sendable {
    /// The URL of the server, and the settings of all requests, such as authentication.
    var service: APIService<any Error>
    /// Receives each notification and request of the server. Returns the result of a request, or `nil` to reject it.
    var receive: @Sendable (JSONValue) async -> JSONValue? = { _ in nil }
    /// The result of `initialize`: the server's name, instructions and capabilities.
    private(set) var server: JSONValue = [:]
    private var events: ResponseStream { Endpoint<Void>.get().startStream(with: service) }

    /// Starts a session, and returns a client that uses it.
    func opened(as client: JSONValue, capabilities: JSONValue = [:]) async throws -> MCPClient {
        var session = self
        session.service.settings.headers[.accept] = "application/json, text/event-stream"
        session.service.settings.headers["Mcp-Session-Id"] = nil
        let params: JSONValue = ["protocolVersion": "2025-11-25", "capabilities": capabilities, "clientInfo": client]
        let initialized = try await session.call("initialize", params)
        session.server = initialized.value
        session.service.settings.headers["Mcp-Session-Id"] = initialized.response.headers["Mcp-Session-Id"]
        session.service.settings.headers["MCP-Protocol-Version"] = session.server["protocolVersion"]?.string
        try await session.post(["jsonrpc": "2.0", "method": "notifications/initialized"])
        return session
    }

    /// Calls a method of the server, such as `tools/call`, and returns its result.
    func call(_ method: String, _ params: JSONValue = [:]) async throws -> DecodedResponse<JSONValue> {
        let id = JSONValue.string(UUID().uuidString)
        let request: JSONValue = ["jsonrpc": "2.0", "id": id, "method": .string(method), "params": params]
        let cancelled: JSONValue = ["jsonrpc": "2.0", "method": "notifications/cancelled", "params": ["requestId": id]]
        defer { if Task.isCancelled, method != "initialize" { Task { try? await post(cancelled) } } }
        var response = try await Endpoint<Void>.post(body: .json(request)).startStream(with: service).open()
        if response.headers.contentType?.subtype == "json" { response = try await response.collected(upTo: 16 << 20) }
        let body = response.body
        let message = try await body.isStreamed ? find(id, in: body.events()) : response.decode(JSONValue.self)
        if let error = message["error"] { throw try error.decoded(as: MCPError.self) }
        return DecodedResponse(value: message["result"] ?? [:], response: response)
    }

    /// Receives the messages that the server sends outside of calls, until the task is cancelled.
    func listen() async throws { _ = try await find(nil, in: events.eventSource()) }

    /// Ends the session.
    func close() async throws { try await service.send(.delete()).value }

    private func post(_ message: JSONValue) async throws { try await service.send(.post(body: .json(message))).value }

    /// Reads events up to the response with this ID, without an ID forever. If they end, a GET request continues them.
    private func find(
        _ id: JSONValue?, in messages: some AsyncSequence<ServerSentEvent, any Error>
    ) async throws -> JSONValue {
        var (lastEventID, wait) = ("", Duration.zero)
        do {
            for try await event in messages {
                let message = try event.data.isEmpty ? [:] : event.decode(JSONValue.self)
                if let id, message["id"] == id, message["method"] == nil { return message }
                if let method = message["method"] {
                    let result = method == "ping" ? [:] : await receive(message)
                    let error: JSONValue? = result == nil ? ["code": -32601, "message": "method not found"] : nil
                    let reply = ["jsonrpc": "2.0", "id": message["id"], "result": result, "error": error]
                    if message["id"] != nil { try? await post(.object(reply.compactMapValues { $0 })) }
                }
                (lastEventID, wait) = (event.id, event.retry ?? wait)
            }
        } catch let error as ErrandError where error.isTransient && !lastEventID.isEmpty {}
        if lastEventID.isEmpty { throw ErrandError(.transportFailed, reason: "the events ended without an ID") }
        try await Task.sleep(for: wait)
        return try await find(id, in: events.eventSource(lastEventID: lastEventID))
    }
}

/// The error of a JSON-RPC response.
struct MCPError: Error, Codable {
    var code: Int
    var message: String
    var data: JSONValue?
}
