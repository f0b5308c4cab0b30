import Errand

/// Watches the data of the service: an event for each resource that is created, changed or deleted.
final class WatchRequest: PlaceholderAPI, StreamingRequest {
    /// The changes after an event; "0" for all changes that the server keeps.
    private let lastEventID: String

    init(after lastEventID: String = "") {
        self.lastEventID = lastEventID
        super.init()
        path = "/events"
    }

    override var acceptedType: ContentType { .eventStream }

    func startStream() -> some AsyncSequence<Change, any Error> & Sendable {
        sendStream().eventSource(lastEventID: lastEventID).values(of: Change.self)
    }
}

/// A change of a resource.
struct Change: Codable, Equatable, Sendable {
    /// The event's type: `created`, `replaced`, `changed` or `deleted`.
    var action: String
    /// The path of the resource.
    var path: String
}
