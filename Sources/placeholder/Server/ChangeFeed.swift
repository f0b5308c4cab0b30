import Errand
import ErrandTesting

/// The changes of the data and the clients that watch them: the server's side of server-sent events.
actor ChangeFeed {
    private var events: [ServerSentEvent] = []
    private var watchers: [AsyncStream<Data>.Continuation] = []

    /// Sends the change of a request, if there is one, to all clients that watch.
    func note(_ request: MockRequest, answeredWith response: MockResponse) {
        guard let change = Change(request, response), let data = try? FastJSONEncoder().encode(change) else { return }
        let event = ServerSentEvent(
            event: change.action, data: String(decoding: data, as: UTF8.self), id: "\(events.count + 1)")
        events.append(event)
        // A client that has closed its connection gets nothing.
        for watcher in watchers { watcher.yield(event.encoded) }
    }

    /// A response with the changes since an event, and all later ones, until the client closes the connection.
    func watch(after lastEventID: String?) -> MockResponse {
        let (stream, watcher) = AsyncStream.makeStream(of: Data.self)
        watchers.append(watcher)
        watcher.yield(Data("retry: 1000\n\n".utf8))
        let seen = lastEventID.flatMap(Int.init) ?? events.count
        for event in events.dropFirst(max(seen, 0)) { watcher.yield(event.encoded) }
        return .stream {
            for await data in stream { return data }
            return nil
        }
        .with(header: "Content-Type", "text/event-stream").with(header: "Cache-Control", "no-store")
    }
}

extension Change {
    /// The change of a successful request; `nil` if it changed nothing.
    fileprivate init?(_ request: MockRequest, _ response: MockResponse) {
        let actions: [RequestMethod: String] = [
            .post: "created", .put: "replaced", .patch: "changed", .delete: "deleted",
        ]
        guard request.parameters["kind"] != nil, let action = actions[request.method] else { return nil }
        self.init(action: action, path: response.headers["Location"] ?? request.path)
    }
}

extension ServerSentEvent {
    /// The event in the format of a stream.
    fileprivate var encoded: Data { Data("id: \(id)\nevent: \(event)\ndata: \(data)\n\n".utf8) }
}
