import Errand
import ErrandTesting

/// The changes of the data and the clients that watch them: the server's side of server-sent events.
actor ChangeFeed {
    /// The silence after which a comment is sent to show that the connection is alive.
    static let keepAliveInterval = Duration.seconds(15)
    /// The number of changes that are kept for clients that reconnect.
    private static let memory = 1_000

    private let clock: any Clock<Duration>
    private var changes: [ServerSentEvent] = []
    private var count = 0
    private var watchers: [Int: AsyncStream<Data>.Continuation] = [:]
    private var lastWatcher = 0

    init(clock: any Clock<Duration> = ContinuousClock()) {
        self.clock = clock
    }

    /// Sends the change of a request, if there is one, to all clients that watch.
    func note(_ request: MockRequest, answeredWith response: MockResponse) {
        guard let change = Change(request, response), let data = try? FastJSONEncoder().encode(change) else { return }
        count += 1
        let event = ServerSentEvent(
            event: change.action, data: String(decoding: data, as: UTF8.self), id: "\(count)")
        changes = changes.suffix(Self.memory - 1) + [event]
        for (number, watcher) in watchers { tell(event.encoded, to: watcher, number) }
    }

    /// A stream of the changes since an event, and of all later ones.
    ///
    /// A client that does not keep up is disconnected. It can reconnect and continue.
    func watch(after lastEventID: String?) -> AsyncStream<Data> {
        let (stream, watcher) = AsyncStream.makeStream(of: Data.self, bufferingPolicy: .bufferingOldest(Self.memory))
        lastWatcher += 1
        let number = lastWatcher
        let keepingAlive = Task { [clock] in
            while true {
                try await clock.sleep(for: Self.keepAliveInterval)
                tell(Data(": still here\n\n".utf8), to: watcher, number)
            }
        }
        watcher.onTermination = { _ in
            keepingAlive.cancel()
            Task { await self.forget(number) }
        }
        watchers[number] = watcher
        watcher.yield(Data("retry: 1000\n\n".utf8))
        if let last = lastEventID.flatMap(Int.init) {
            for event in changes where Int(event.id).map({ $0 > last }) ?? false {
                tell(event.encoded, to: watcher, number)
            }
        }
        return stream
    }

    private func tell(_ data: Data, to watcher: AsyncStream<Data>.Continuation, _ number: Int) {
        if case .enqueued = watcher.yield(data) { return }
        forget(number)
    }

    private func forget(_ number: Int) {
        watchers.removeValue(forKey: number)?.finish()
    }
}

/// A change of a resource.
struct Change: Codable, Equatable, Sendable {
    /// The event's type: `created`, `replaced`, `changed` or `deleted`.
    var action: String
    /// The path of the resource.
    var path: String

    init(action: String, path: String) {
        self.action = action
        self.path = path
    }

    /// The change of a successful request; `nil` if it changed nothing.
    init?(_ request: MockRequest, _ response: MockResponse) {
        let actions: [RequestMethod: String] = [
            .post: "created", .put: "replaced", .patch: "changed", .delete: "deleted",
        ]
        guard request.parameters["kind"] != nil, let action = actions[request.method]
        else { return nil }
        self.init(action: action, path: response.headers["Location"] ?? request.path)
    }
}

extension ServerSentEvent {
    /// The change as a server-sent event.
    fileprivate var encoded: Data { Data("id: \(id)\nevent: \(event)\ndata: \(data)\n\n".utf8) }
}

extension MockResponse {
    /// A response with events that lasts until the client closes the connection.
    static func events(_ events: AsyncStream<Data>) -> MockResponse {
        .stream {
            for await data in events { return data }
            return nil
        }
        .with(header: "Content-Type", "text/event-stream").with(header: "Cache-Control", "no-store")
    }
}
