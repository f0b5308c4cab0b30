import Errand
import Testing

@testable import TestSupport

/// The client of the guide "Model Context Protocol", and the reference server.
@Suite(.interop(.mcp), .hangGuard) struct `The Model Context Protocol` {
    private static let transport = CurlTransport.direct()
    private let received = Recorder<JSONValue>()
    private let sent = Recorder<URLRequest>()

    /// Records each request.
    private struct Noting: Interceptor {
        let sent: Recorder<URLRequest>

        func intercept(_ request: TransportRequest, next: Next) async throws -> DataResponse {
            sent.record(request.urlRequest)
            return try await next(request)
        }
    }

    /// Starts a session with a client that responds to the server's requests with `result`.
    private func session(_ url: URL, _ path: String = "mcp", result: JSONValue? = nil) async throws -> MCPClient {
        let service = APIService(
            baseURL: BaseURL(url.appendingPathComponent(path)), session: Self.transport,
            interceptors: [Noting(sent: sent)])
        let client = MCPClient(service: service) { message in
            received.record(message)
            return result
        }
        return try await client.opened(
            as: ["name": "tests", "version": "1"], capabilities: ["elicitation": ["form": [:]]])
    }

    private func session(_ path: String = "mcp", result: JSONValue? = nil) async throws -> MCPClient {
        try await session(PythonMCPServer.shared.value.url, path, result: result)
    }

    /// Calls a tool, and returns its text.
    private func use(
        _ tool: String, _ arguments: JSONValue = [:], in session: MCPClient
    ) async throws -> (text: String?, isError: Bool?) {
        let params: JSONValue = [
            "name": .string(tool), "arguments": arguments, "_meta": ["progressToken": .string(tool)],
        ]
        let result = try await session.call("tools/call", params).value
        return (result["content"]?[0]?["text"]?.string, result["isError"]?.bool)
    }

    private var progress: [Int?] {
        received.elements.filter { $0["method"] == "notifications/progress" }.map { $0["params"]?["progress"]?.int }
    }

    @Test(arguments: ["mcp", "json"]) func `MCP tools are listed and called`(_ path: String) async throws {
        let session = try await session(path)
        #expect(session.server["protocolVersion"] == "2025-11-25")
        #expect(session.server["instructions"] == "Ask for books.")
        let tools = try #require(try await session.call("tools/list").value["tools"]?.array)
        #expect(tools.first?["name"] == "add")
        #expect(tools.first?["inputSchema"]?["required"] == ["a", "b"])
        let sum = try await session.call("tools/call", ["name": "add", "arguments": ["a": 1, "b": 2]])
        #expect(sum.value["structuredContent"] == ["result": 3])
        #expect(sum.response.headers.contentType?.essence == (path == "mcp" ? "text/event-stream" : "application/json"))
        try await session.close()
    }

    @Test func `the progress of an MCP tool is received`() async throws {
        let session = try await session()
        #expect(try await use("read", ["pages": 3], in: session).text == "3 pages")
        #expect(progress == [1, 2, 3])
        #expect(received.elements[0]["params"]?["progressToken"] == "read")
    }

    @Test func `the events of an MCP call continue after the server has closed the connection`() async throws {
        let session = try await session()
        #expect(try await use("read", ["pages": 5, "pauses": true], in: session).text == "5 pages")
        try expectResumption()
    }

    @Test func `the events of an MCP call continue after the connection is lost`() async throws {
        let session = try await session(PythonMCPServer.shared.value.cuttingURL)
        #expect(try await use("read", ["pages": 5], in: session).text == "5 pages")
        try expectResumption()
    }

    /// Checks that the call was sent once, was continued, and that each notification arrived once.
    private func expectResumption() throws {
        #expect(progress == [1, 2, 3, 4, 5])
        #expect(sent.elements.prefix(3).map(\.httpMethod) == ["POST", "POST", "POST"])
        let resumptions = sent.elements.dropFirst(3)
        #expect(!resumptions.isEmpty)
        #expect(
            resumptions.allSatisfy { $0.httpMethod == "GET" && $0.value(forHTTPHeaderField: "Last-Event-ID") != nil })
    }

    @Test func `a request of the MCP server gets the result, or an error that fails the tool`() async throws {
        let session = try await session(result: ["action": "accept", "content": ["title": "Malafrena"]])
        #expect(try await use("ask", in: session).text == "Malafrena")
        #expect(received.elements.map { $0["method"] } == ["elicitation/create"])
        let other = try await self.session()
        let error = await #expect(throws: MCPError.self) { try await use("ask", in: other) }
        #expect(error?.message == "method not found")
    }

    @Test func `an MCP server reports errors by JSON-RPC, by a tool's result, and by the status`() async throws {
        let session = try await session()
        let error = await #expect(throws: MCPError.self) { try await session.call("no/method") }
        #expect(error?.code == -32601)
        #expect(try await use("subtract", in: session).isError == true)
        let service = APIService(
            baseURL: BaseURL(try await PythonMCPServer.shared.value.url.appendingPathComponent("mcp")),
            session: Self.transport, errorDocument: JSONValue.self)
        let refusal = await expectFailure(.unacceptableStatusCode) {
            try await MCPClient(service: service).call("tools/list")
        }
        #expect(refusal?.statusCode == 400)
        #expect(refusal?.payload(as: JSONValue.self)?["error"]?["message"] != nil)
    }

    @Test func `cancelling the task cancels the MCP tool`() async throws {
        let session = try await session()
        let call = Task { try await use("wait", in: session) }
        try await waitUntil { progress == [1] }
        call.cancel()
        await expectFailure(.cancelled) { try await call.value }
        #expect(try await use("wait_for_cancellation", in: session).text == "cancelled")
    }

    @Test func `an MCP session that was closed has ended, and another one begins`() async throws {
        var session = try await session()
        try await session.close()
        let error = await expectFailure(.unacceptableStatusCode) { [session] in try await session.call("tools/list") }
        #expect(error?.statusCode == 404)
        session = try await session.opened(as: ["name": "tests", "version": "1"])
        #expect(try await use("add", ["a": 1, "b": 2], in: session).text == "3")
    }

    @Test func `a message of the MCP server outside of calls is received`() async throws {
        let session = try await session()
        let listening = Task { try await session.listen() }
        // The server discards a message for a client that does not listen yet.
        try await waitUntil {
            _ = try await use("change_tools", in: session)
            return received.elements.contains { $0["method"] == "notifications/tools/list_changed" }
        }
        listening.cancel()
        await expectFailure(.cancelled) { try await listening.value }
    }
}
