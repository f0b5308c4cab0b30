import Errand

extension Program {
    /// Prints changes when they happen.
    ///
    /// - Parameters:
    ///   - limit: The number of changes after which it ends; `nil` for no end.
    ///   - makesChanges: Whether the command makes some changes itself, because the embedded server has no other
    ///     clients.
    func watch(_ service: APIService<any Error>, limit: Int?, makesChanges: Bool) async throws {
        var changes: [any Request] = makesChanges ? Self.changes : []
        let limit = limit ?? (makesChanges ? changes.count : .max)
        // The first change may happen before the server has accepted the stream of events.
        let request = WatchRequest(after: makesChanges ? "0" : "")
        var shown = 0
        var watched = request.startStream(with: service).makeAsyncIterator()
        while shown < limit {
            if !changes.isEmpty {
                let change = changes.removeFirst()
                _ = try await service.value(of: change)
            }
            guard let change = try await watched.next() else { return }
            shown += 1
            out.line("\(change.action.padding(toLength: 8, withPad: " ", startingAt: 0))  \(change.path)".onOneLine)
        }
    }

    private static var changes: [any Request] {
        [
            CreatePostRequest(Post.Draft(userId: 1, title: "Hello", body: "A first post.")),
            ChangePostRequest(id: 101, Post.Changes(title: "A better title")),
            DeletePostRequest(id: 101),
        ]
    }
}
