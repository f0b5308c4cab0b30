import Errand
import ErrandTesting

/// Who watches the data, and what has happened to it: the server's side of server-sent events.
actor ChangeFeed {
    /// How long nothing may be said before a comment tells that the connection is alive.
    static let keepAliveInterval = Duration.seconds(15)
    /// How many changes are remembered for those who come back.
    private static let memory = 1_000

    private let clock: any Clock<Duration>
    private var changes: [ServerSentEvent] = []
    private var count = 0
    private var watchers: [Int: AsyncStream<Data>.Continuation] = [:]
    private var lastWatcher = 0

    init(clock: any Clock<Duration> = ContinuousClock()) {
        self.clock = clock
    }

    /// Tells everybody what a request has changed, if it has.
    func note(_ request: MockRequest, answeredWith response: MockResponse) {
        guard let change = Change(request, response), let data = try? FastJSONEncoder().encode(change) else { return }
        count += 1
        let event = ServerSentEvent(
            event: change.action, data: String(decoding: data, as: UTF8.self), id: "\(count)")
        changes = changes.suffix(Self.memory - 1) + [event]
        for (number, watcher) in watchers { tell(event.encoded, to: watcher, number) }
    }

    /// A stream of what happens from now on, and of what has happened since an event.
    ///
    /// Whoever does not keep up is let go of, and may come back for what it missed.
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

/// What has happened to a resource.
struct Change: Codable, Equatable, Sendable {
    /// The event's type: `created`, `replaced`, `changed` or `deleted`.
    var action: String
    /// Where the resource is, or was.
    var path: String

    init(action: String, path: String) {
        self.action = action
        self.path = path
    }

    /// What a request that was fulfilled has changed; nil where it has changed nothing.
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
    /// As it is sent.
    fileprivate var encoded: Data { Data("id: \(id)\nevent: \(event)\ndata: \(data)\n\n".utf8) }
}

extension MockResponse {
    /// A stream of events that goes on for as long as the client reads it.
    static func events(_ events: AsyncStream<Data>) -> MockResponse {
        .stream {
            for await data in events { return data }
            return nil
        }
        .with(header: "Content-Type", "text/event-stream").with(header: "Cache-Control", "no-store")
    }
}
