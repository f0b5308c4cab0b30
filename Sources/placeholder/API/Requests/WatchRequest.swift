import Errand

/// Watches the service's data: an event each time something is created, changed or deleted.
final class WatchRequest: PlaceholderAPI, StreamingRequest {
    /// The changes behind an event; "0" for all that the service remembers.
    private let lastEventID: String

    init(after lastEventID: String = "") {
        self.lastEventID = lastEventID
        super.init()
        path = "/events"
    }

    override var acceptedType: ContentType { .eventStream }

    func startStream() -> EventValues<EventSource, Change> {
        sendStream().events(lastEventID: lastEventID).values(of: Change.self)
    }
}
