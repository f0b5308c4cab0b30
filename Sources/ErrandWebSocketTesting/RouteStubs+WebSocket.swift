import Errand
public import ErrandTesting
import ErrandWebSocket

extension RouteStubs {
    /// Adds a stub for WebSockets whose path matches a pattern.
    ///
    /// - Parameters:
    ///   - pattern: As for HTTP.
    ///   - condition: A further condition for the upgrade request.
    ///   - stub: The peer, from `request.stubWebSocket { peer in … }` and similar functions.
    ///   - times: The number of connections; one or more by default.
    ///   - fileID: The file that creates the stub, for error messages, like the three parameters that follow.
    ///   - filePath: The path of that file.
    ///   - line: The line in that file.
    ///   - column: The column in that line.
    public func webSocket(
        _ pattern: String, where condition: RequestCondition = .always, _ stub: WebSocketStub,
        times: StubTimes = .atLeastOnce, fileID: String = #fileID, filePath: String = #filePath, line: Int = #line,
        column: Int = #column
    ) {
        add(
            webSocket: stub, pattern, condition, times,
            StubPlace(fileID: fileID, filePath: filePath, line: line, column: column))
    }

    /// Adds a stub for WebSockets whose path matches a pattern, and serves them with a closure.
    ///
    /// The closure is called for each connection with the server's side of it, in a task that does not belong to the
    /// test. When it returns or throws, the connection is cut. For the other parameters, see the function with a stub,
    /// which is needed for rejections, subprotocols and compression.
    public func webSocket(
        _ pattern: String, where condition: RequestCondition = .always, times: StubTimes = .atLeastOnce,
        fileID: String = #fileID, filePath: String = #filePath, line: Int = #line, column: Int = #column,
        serve: @escaping @Sendable (WebSocketPeer) async throws -> Void
    ) {
        add(
            webSocket: StubMaker().stubWebSocket(serve: serve), pattern, condition, times,
            StubPlace(fileID: fileID, filePath: filePath, line: line, column: column))
    }
}

/// Provides `stubWebSocket`, which is an extension of `Stubbable`.
private struct StubMaker: Stubbable {}
