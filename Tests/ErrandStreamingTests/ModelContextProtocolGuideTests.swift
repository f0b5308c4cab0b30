import Errand
import ErrandMockServer
import ErrandTesting
import Testing

@testable import TestSupport

/// The samples of the guide "Model Context Protocol", and tests of its client with a mock server.
@Suite(.hangGuard) struct `The guide to the Model Context Protocol` {
    private let received = Recorder<JSONValue>()

    /// A server that starts sessions, accepts notifications, and responds to calls as the closure does.
    private func server(_ respond: @escaping @Sendable (_ id: JSONValue) -> MockResponse) throws -> MockServer {
        let server = try MockServer()
        let sessions = Counter()
        server.on(.post, "/mcp") { request in
            let message = try Self.message(request)
            guard let id = message["id"], let method = message["method"] else { return .status(202) }
            guard method == "initialize" else { return respond(id) }
            sessions.increase()
            return Self.json(id, ["protocolVersion": "2025-06-18", "serverInfo": ["name": "library"]])
                .with(header: "Mcp-Session-Id", "session-\(sessions.count)")
        }
        return server
    }

    private func take(_ count: Int, from server: MockServer) async throws -> [MockRequest] {
        var requests: [MockRequest] = []
        while requests.count < count { requests.append(try await server.takeRequest()) }
        return requests
    }

    private static func message(_ request: MockRequest) throws -> JSONValue {
        try FastJSONDecoder().decode(JSONValue.self, from: request.body)
    }

    private static func json(_ id: JSONValue, _ result: JSONValue) -> MockResponse {
        .json(["jsonrpc": "2.0", "id": id, "result": result])
    }

    private static func event(_ message: JSONValue, id: String) -> MockEvent { .event("\(message)", id: id) }

    private static func result(_ id: JSONValue, _ result: JSONValue) -> JSONValue {
        ["jsonrpc": "2.0", "id": id, "result": result]
    }

    /// Messages that are neither requests or notifications of the server nor the response to a call of these tests.
    private static var strays: [MockEvent] {
        [
            event(result("another", [:]), id: "1"), event(["jsonrpc": "2.0", "id": 7, "error": ["code": 1]], id: "2"),
            event(["jsonrpc": "2.0", "id": .null, "error": ["code": 1]], id: "3"), event(["result": [:]], id: "4"),
            event([[:]], id: "5"), event(.null, id: "6"),
        ]
    }

    private static func progress(_ value: JSONValue) -> JSONValue {
        ["jsonrpc": "2.0", "method": "notifications/progress", "params": ["progress": value]]
    }

    private func client(_ server: MockServer) -> MCPClient {
        MCPClient(service: APIService(baseURL: BaseURL(server.url.appendingPathComponent("mcp")))) { message in
            received.record(message)
            return message["method"] == "roots/list" ? ["roots": []] : nil
        }
    }

    private func session(_ server: MockServer) async throws -> MCPClient {
        try await client(server).opened(as: ["name": "tests", "version": "1"])
    }

    /// Compiled but not run, because it would send requests to a real host.
    private func use(token: String) async throws {
        let service = APIService(baseURL: "tools.example.com/mcp", interceptors: [BearerAuthentication(token: token)])
        let client = MCPClient(service: service) { message in
            if message["method"] == "notifications/progress" { print(message["params"]?["progress"] ?? "unknown") }
            return nil
        }
        var session = try await client.opened(as: ["name": "Shelf", "version": "1.0"])

        let tools = try await session.call("tools/list").value["tools"]?.array ?? []
        print(tools.compactMap { $0["name"]?.string })

        let call: JSONValue = ["name": "add", "arguments": ["a": 1, "b": 2], "_meta": ["progressToken": "sum"]]
        do {
            print(try await session.call("tools/call", call).value["structuredContent"] ?? "no result")
        } catch let error as MCPError {
            print(error.code, error.message)
        } catch let error as ErrandError where error.statusCode == 404 {
            session = try await client.opened(as: ["name": "Shelf", "version": "1.0"])
        }

        try await session.close()
    }

    @Test func `the guide: each request of an MCP session has its ID and its version`() async throws {
        let server = try server { Self.json($0, ["tools": []]) }
        server.on(.delete, "/mcp", .status(204))
        let session = try await session(server)
        #expect(session.server["serverInfo"]?["name"] == "library")
        #expect(try await session.call("tools/list").value == ["tools": []])
        try await session.close()

        let requests = server.requests
        #expect(requests.map(\.method) == [.post, .post, .post, .delete])
        #expect(requests.map { $0.headers["Mcp-Session-Id"] } == [nil, "session-1", "session-1", "session-1"])
        #expect(
            requests.map { $0.headers["MCP-Protocol-Version"] } == [nil] + [String](repeating: "2025-06-18", count: 3))
        #expect(requests.allSatisfy { $0.headers["Accept"] == "application/json, text/event-stream" })
        let messages = try requests.dropLast().map(Self.message)
        #expect(messages.map { $0["method"] } == ["initialize", "notifications/initialized", "tools/list"])
        #expect(messages.allSatisfy { $0["jsonrpc"] == "2.0" })
        #expect(messages[0]["params"]?["protocolVersion"] == "2025-11-25")
        #expect(messages[0]["params"]?["clientInfo"]?["name"] == "tests")
        #expect(messages[1]["id"] == nil)
    }

    @Test func `the guide: progress before the result of an MCP call is received`() async throws {
        let server = try server {
            .serverSentEvents([
                .event("", id: "1"), Self.event(Self.progress(1), id: "2"), .comment("still there"),
                Self.event(Self.progress(2), id: "3"), Self.event(Self.result($0, ["sum": 3]), id: "4"),
            ])
        }
        #expect(try await session(server).call("tools/call", ["name": "add"]).value == ["sum": 3])
        #expect(received.elements.compactMap { $0["params"]?["progress"]?.int } == [1, 2])
    }

    /// JSON-RPC 2.0, section 4: only a request gets a response.
    @Test func `the guide: responses to other MCP calls and unknown messages are ignored`() async throws {
        let server = try server { id in .serverSentEvents(Self.strays + [Self.event(Self.result(id, [:]), id: "9")]) }
        #expect(try await session(server).call("tools/call", ["name": "add"]).value == [:])
        #expect(received.elements.isEmpty)
        let methods = try server.requests.map { try Self.message($0)["method"] }
        #expect(methods == ["initialize", "notifications/initialized", "tools/call"])
    }

    @Test func `the guide: requests of an MCP server get a response`() async throws {
        let server = try server {
            .serverSentEvents([
                Self.event(["jsonrpc": "2.0", "id": 7, "method": "ping"], id: "1"),
                Self.event(["jsonrpc": "2.0", "id": "eight", "method": "roots/list"], id: "2"),
                Self.event(["jsonrpc": "2.0", "id": 9, "method": "sampling/createMessage"], id: "3"),
                Self.event(Self.result($0, [:]), id: "4"),
            ])
        }
        _ = try await session(server).call("tools/call", ["name": "add"])
        #expect(received.elements.map { $0["method"] } == ["roots/list", "sampling/createMessage"])
        #expect(
            try server.requests.dropFirst(3).map(Self.message) == [
                ["jsonrpc": "2.0", "id": 7, "result": [:]],
                ["jsonrpc": "2.0", "id": "eight", "result": ["roots": []]],
                ["jsonrpc": "2.0", "id": 9, "error": ["code": -32601, "message": "method not found"]],
            ])
    }

    /// The connection is lost in the first test, and closed by the server in the second.
    @Test(arguments: [true, false])
    func `the guide: the events of an MCP call continue after the last one`(_ isLost: Bool) async throws {
        let ids = Recorder<JSONValue>()
        let server = try server { id in
            ids.record(id)
            return .serverSentEvents([
                .event("", id: "1", retry: .milliseconds(1)), Self.event(Self.progress(1), id: "2"),
                .pause { if isLost { throw URLError(.networkConnectionLost) } },
            ])
        }
        server.on(.get, "/mcp") { request in
            request.headers["Last-Event-ID"] == "2"
                ? .serverSentEvents([
                    Self.event(Self.progress(2), id: "3"),
                    Self.event(Self.result(ids.elements[0], ["sum": 3]), id: "4"),
                ]) : .status(400)
        }
        let session = try await session(server)
        #expect(try await session.call("tools/call", ["name": "add"]).value == ["sum": 3])
        #expect(received.elements.compactMap { $0["params"]?["progress"]?.int } == [1, 2])
        #expect(ids.elements.count == 1)
        let resumption = try #require(server.requests.last)
        #expect(resumption.method == .get)
        #expect(resumption.headers["Accept"] == "text/event-stream")
        #expect(resumption.headers["Mcp-Session-Id"] == "session-1")
    }

    @Test(arguments: [true, false])
    func `the guide: an MCP call whose events have no ID is not sent again`(_ isLost: Bool) async throws {
        let server = try server { _ in
            .serverSentEvents([
                .event("\(Self.progress(1))"), .pause { if isLost { throw URLError(.networkConnectionLost) } },
            ])
        }
        let session = try await session(server)
        let error = await expectFailure(.transportFailed) { try await session.call("tools/call", ["name": "add"]) }
        #expect((error?.reason == "the events ended without an ID") == !isLost)
        #expect(server.requests.count == 3)
    }

    @Test func `the guide: an error of JSON-RPC is thrown`() async throws {
        let server = try server {
            .json([
                "jsonrpc": "2.0", "id": $0, "error": ["code": -32602, "message": "no tool", "data": ["name": "sub"]],
            ])
        }
        let session = try await session(server)
        let error = await #expect(throws: MCPError.self) { try await session.call("tools/call", ["name": "sub"]) }
        #expect(error?.code == -32602)
        #expect(error?.message == "no tool")
        #expect(error?.data == ["name": "sub"])
    }

    @Test func `the guide: after an MCP session has ended, a new one has another ID`() async throws {
        let calls = Counter()
        let server = try server { id in
            calls.increase()
            return calls.count == 1 ? .status(404) : Self.json(id, ["tools": []])
        }
        var session = try await session(server)
        let error = await expectFailure(.unacceptableStatusCode) { [session] in try await session.call("tools/list") }
        #expect(error?.statusCode == 404)
        session = try await session.opened(as: ["name": "tests", "version": "1"])
        #expect(try await session.call("tools/list").value == ["tools": []])
        let ids = server.requests.map { $0.headers["Mcp-Session-Id"] }
        #expect(ids == [nil, "session-1", "session-1", nil, "session-2", "session-2"])
    }

    @Test func `the guide: cancelling the task cancels the MCP call at the server`() async throws {
        let isWaiting = Gate()
        let server = try server { _ in
            .serverSentEvents([.event("", id: "1"), .pause { isWaiting.open() }], staysOpen: true)
        }
        let session = try await session(server)
        let call = Task { try await session.call("tools/call", ["name": "wait"]) }
        try await isWaiting.pass()
        call.cancel()
        await expectFailure(.cancelled) { try await call.value }
        let requests = try await take(4, from: server)
        let id = try #require(try Self.message(requests[2])["id"])
        #expect(
            try Self.message(requests[3]) == [
                "jsonrpc": "2.0", "method": "notifications/cancelled", "params": ["requestId": id],
            ])
    }

    @Test func `the guide: an MCP client listens to messages outside of calls`() async throws {
        let server = try server { Self.json($0, [:]) }
        server.on(.get, "/mcp") { _ in
            .serverSentEvents(
                Self.strays + [
                    Self.event(["jsonrpc": "2.0", "method": "notifications/tools/list_changed"], id: "8"),
                    Self.event(["jsonrpc": "2.0", "id": 1, "method": "ping"], id: "9"),
                ], staysOpen: true)
        }
        let session = try await session(server)
        let listening = Task { try await session.listen() }
        let requests = try await take(4, from: server)
        #expect(requests[2].method == .get)
        #expect(try Self.message(requests[3]) == ["jsonrpc": "2.0", "id": 1, "result": [:]])
        listening.cancel()
        await expectFailure(.cancelled) { try await listening.value }
        #expect(received.elements.map { $0["method"] } == ["notifications/tools/list_changed"])
    }
}
