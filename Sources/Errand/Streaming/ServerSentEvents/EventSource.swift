/// Server-sent events over as many connections as it takes (WHATWG HTML, section 9.2).
///
/// ```swift
/// final class NewsRequest: NewsAPI, StreamingRequest {
///     func startStream() -> EventSource {
///         sendStream().events()
///     }
/// }
///
/// for try await event in NewsRequest().startStream() { print(event.data) }
/// ```
///
/// It asks with `Accept: text/event-stream` and `Cache-Control: no-cache`. When the connection breaks off, ends or is
/// silent for too long, it waits as the ``EventSourceReconnection`` says, and asks again with the `Last-Event-ID`; the events go
/// on where they were. Redirects are followed as for any request. Status 204 ends the events. Any other status than 200,
/// and any other type than `text/event-stream`, fails, and so does an event that is too large.
///
/// It is cold: each loop connects anew. Cancelling the task that reads, or leaving the loop, closes the connection.
public struct EventSource: AsyncSequence, Sendable {
    /// An event.
    public typealias Element = ServerSentEvent

    let stream: ResponseStream
    let lastEventID: String
    let policy: EventSourceReconnection
    let maximumSize: Int

    /// Begins anew; the request is sent when the first event is asked for.
    public func makeAsyncIterator() -> AsyncIterator {
        AsyncIterator(self)
    }
}

extension ResponseStream {
    /// The server-sent events of the answer, and of those to the requests that go on where it broke off.
    ///
    /// Unlike `events(maximumSize:)` of a ``ResponseBody``, it reconnects.
    ///
    /// - Parameters:
    ///   - lastEventID: Where to begin, by a ``ServerSentEvent/id`` that was kept; empty for wherever the server begins.
    ///   - reconnection: When it connects again, and when it gives up.
    ///   - maximumSize: The most bytes of an event's data, and of a line; 1 MiB by default. Less than zero counts as zero.
    public func events(
        lastEventID: String = "", reconnection: EventSourceReconnection = EventSourceReconnection(),
        maximumSize: Int = 1 << 20
    ) -> EventSource {
        EventSource(stream: self, lastEventID: lastEventID, policy: reconnection, maximumSize: maximumSize)
    }
}
