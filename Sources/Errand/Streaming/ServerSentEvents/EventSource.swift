/// A sequence of server-sent events that reconnects when a connection is lost (WHATWG HTML, section 9.2).
///
/// ```swift
/// final class NewsRequest: NewsAPI, StreamingRequest {
///     func startStream() -> EventSource {
///         sendStream().eventSource()
///     }
/// }
///
/// for try await event in NewsRequest().startStream() { print(event.data) }
/// ```
///
/// Requests are sent with `Accept: text/event-stream` and `Cache-Control: no-cache`. When the connection breaks off,
/// ends or is silent for too long, the source waits as ``EventSourceReconnection`` specifies. Then it sends the request
/// again, with the `Last-Event-ID`, so that the server can continue after that event. Redirects are followed as for any
/// request. Status 204 ends the events. The source fails for any other status than 200, for any other type than
/// `text/event-stream`, and for an event that is too large.
///
/// The source is cold: each loop opens its own connection. Cancelling the task that reads, or leaving the loop, closes
/// the connection.
public struct EventSource: AsyncSequence, Sendable {
    /// An event.
    public typealias Element = ServerSentEvent

    let stream: ResponseStream
    let lastEventID: String
    let policy: EventSourceReconnection
    let maximumSize: Int

    /// Creates an iterator. The request is sent when the first event is requested.
    public func makeAsyncIterator() -> AsyncIterator {
        AsyncIterator(self)
    }
}

extension ResponseStream {
    /// Returns the server-sent events of the response, and reconnects when the connection is lost.
    ///
    /// Unlike this method, `events(maximumSize:)` reads one response and does not reconnect.
    ///
    /// - Parameters:
    ///   - lastEventID: The ``ServerSentEvent/id`` of the last event that was received earlier, from which the server
    ///     continues. By default it is empty, and the server decides where to begin.
    ///   - reconnection: The rules for reconnecting and for giving up.
    ///   - maximumSize: The maximum size in bytes of an event's data, and of a line; 1 MiB by default. A negative value
    ///     counts as zero.
    public func eventSource(
        lastEventID: String = "", reconnection: EventSourceReconnection = EventSourceReconnection(),
        maximumSize: Int = 1 << 20
    ) -> EventSource {
        EventSource(stream: self, lastEventID: lastEventID, policy: reconnection, maximumSize: maximumSize)
    }
}
