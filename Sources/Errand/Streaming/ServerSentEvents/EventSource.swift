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

    /// Creates an iterator. The request is sent when the first event is requested. Only one task at a time may use it.
    ///
    /// `next()` returns `nil` when the server has ended the events, and always after an error. It throws
    /// ``ErrandError`` with `unacceptableStatusCode` or `unacceptableContentType` for a response without events, or
    /// with `elementTooLarge`. When the source gives up, it throws the error of the last attempt. When the task is
    /// cancelled, it throws `cancelled` immediately. Any other error of ``ResponseStream/open(adding:)`` ends the
    /// events too.
    public func makeAsyncIterator() -> some AsyncIteratorProtocol<ServerSentEvent, any Error> {
        EventIterator(self)
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

/// An iterator over the events of all connections.
private struct EventIterator: AsyncIteratorProtocol, ResponseReading {
    private let source: EventSource
    private var state: EventSourceState
    /// The open connection. Releasing it closes it.
    private var connection: EventConnection?
    private var hasEnded = false

    /// `nil`, because each connection has its own response, and adds it to its errors.
    var response: DataResponse? { nil }
    var errorMapping: (@Sendable (any Error) -> any Error)? { source.stream.errorMapping }

    init(_ source: EventSource) {
        self.source = source
        state = EventSourceState(source.policy, lastEventID: source.lastEventID)
    }

    mutating func next() async throws -> ServerSentEvent? {
        try await next(isolation: #isolation)
    }

    mutating func next(isolation actor: isolated (any Actor)?) async throws -> ServerSentEvent? {
        do {
            while !hasEnded {
                if Task.isCancelled { throw ErrandError(.cancelled) }
                if let event = try await advance() { return event }
            }
            return nil
        } catch {
            end()
            let error = error is CancellationError ? ErrandError(.cancelled) : error
            throw source.stream.errorMapping?(error) ?? error
        }
    }

    /// Connects, or reads at most one piece. Returns the next event, or `nil` if the caller must call again.
    private mutating func advance() async throws -> ServerSentEvent? {
        do {
            guard connection != nil else {
                try await connect()
                return nil
            }
            let (silence, clock) = (source.policy.silence, source.policy.clock)
            let event = try await connection?.next(silence: silence, clock: clock)
            if event != nil { state.resetAttempts() }
            return event
        } catch {
            // The next connection continues with these values.
            if let parser = connection?.parser {
                state.store(lastEventID: parser.lastEventID, reconnectionTime: parser.reconnectionTime)
            }
            let life = connection?.age ?? .zero
            connection = nil
            try await recover(from: error, after: life)
            return nil
        }
    }

    /// Opens a connection, or ends the events if the server sends no more of them.
    private mutating func connect() async throws {
        // The state decides by the original error whether the source reconnects.
        let response = try await source.stream.unmapped.open(adding: state.fields)
        switch state.judge(statusCode: response.statusCode, contentType: response.headers.contentType) {
        case .read:
            let parser = ServerSentEventParser(lastEventID: state.lastEventID, maximumSize: source.maximumSize)
            connection = EventConnection(response, parser: parser, clock: source.policy.clock)
        case .end: end()
        case .fail(let error): throw error.with(headOf: response)
        }
    }

    /// Waits until the source may reconnect, or throws the error with which it ends.
    private mutating func recover(from error: any Error, after life: Duration) async throws {
        // If the class's validation accepts only 200, it rejects the response that ends the events.
        if (error as? ErrandError)?.statusCode == 204 { return end() }
        switch state.lost(error, after: life, chance: source.policy.random()) {
        case .fail(let error): throw error
        case .connect(let wait):
            if wait > .zero { try await source.policy.clock.sleep(for: wait) }
        }
    }

    private mutating func end() {
        connection = nil
        hasEnded = true
    }
}

extension EventSourceReconnection {
    /// The maximum silence of the server; `nil` for no limit.
    fileprivate var silence: Duration? { maximumSilence.flatMap { $0 > .zero ? $0 : nil } }
}

/// One connection of an ``EventSource``: a response and the events of its body.
struct EventConnection {
    private(set) var parser: ServerSentEventParser
    private let response: DataResponse
    private let reader: ResponseBody.Reader
    private let timeline: Timeline

    init(_ response: DataResponse, parser: ServerSentEventParser, clock: any Clock<Duration>) {
        self.response = response
        reader = response.body.reader
        self.parser = parser
        self.parser.begin(response)
        timeline = Timeline(clock)
    }

    /// The time since the connection was opened.
    var age: Duration { timeline.now }

    /// Returns the next complete event. Without one, reads a piece and returns `nil`; the caller then calls again.
    ///
    /// - Throws: ``ErrandError``; with `transportFailed` also if the body has ended.
    mutating func next(silence: Duration?, clock: any Clock<Duration>) async throws -> ServerSentEvent? {
        do {
            if let event = try parser.next() { return event }
        } catch {
            throw error.with(headOf: response)
        }
        guard let piece = try await nextPiece(silence: silence, clock: clock) else {
            throw ErrandError(
                .transportFailed, reason: "the server closed the event stream",
                underlyingError: URLError(.networkConnectionLost)
            ).with(headOf: response)
        }
        parser.append(piece)
        return nil
    }

    /// Reads the next piece; `nil` at the end of the body.
    private func nextPiece(silence: Duration?, clock: any Clock<Duration>) async throws -> Data? {
        guard let silence else { return try await reader() }
        let piece = Pipeline<Data?, any Error> { [reader] () async throws(any Error) in try await reader() }
        let silent = ErrandError(.timedOut, reason: "the server was silent for \(silence.secondsText)")
            .with(headOf: response)
        return try await piece.timeout(silence, clock: clock, failure: silent).value
    }
}
