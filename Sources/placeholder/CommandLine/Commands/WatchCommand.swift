import Errand

/// Prints changes when they happen.
struct WatchCommand {
    /// The number of changes after which it ends; `nil` for no end.
    let limit: Int?
    /// Whether the command makes some changes itself, because the embedded server has no other clients.
    let makesChanges: Bool
    let client: Client
    let out: Output

    func run() async throws {
        var changes: [@Sendable (Client) async throws -> Void] = makesChanges ? Self.changes : []
        let limit = limit ?? (makesChanges ? changes.count : .max)
        // The first change may happen before the server has accepted the stream of events.
        let request = WatchRequest(after: makesChanges ? "0" : "")
        var shown = 0
        var watched = request.startStream(with: client.service).makeAsyncIterator()
        while shown < limit {
            if !changes.isEmpty { try await changes.removeFirst()(client) }
            guard let change = try await watched.next() else { return }
            shown += 1
            out.line("\(change.action.padding(toLength: 8, withPad: " ", startingAt: 0))  \(change.path)".onOneLine)
        }
    }

    private static let changes: [@Sendable (Client) async throws -> Void] = [
        { _ = try await $0.send(CreatePostRequest(Post.Draft(userId: 1, title: "Hello", body: "A first post."))) },
        { _ = try await $0.send(ChangePostRequest(id: 101, Post.Changes(title: "A better title"))) },
        { try await $0.send(DeletePostRequest(id: 101)) },
    ]
}
