extension EventSource {
    /// An iterator over the events of all connections. Only one task at a time may use it.
    public struct AsyncIterator: AsyncIteratorProtocol {
        fileprivate let source: EventSource
        private var state: EventSourceState
        /// The open connection. Releasing it closes it.
        private var connection: EventConnection?
        private var hasEnded = false

        init(_ source: EventSource) {
            self.source = source
            state = EventSourceState(source.policy, lastEventID: source.lastEventID)
        }

        /// Returns the next event; `nil` when the server has ended the events, and always after an error.
        ///
        /// - Throws: ``ErrandError`` with `unacceptableStatusCode` or `unacceptableContentType` for a response without
        ///   events, or with `elementTooLarge`. When the source gives up, it throws the error of the last attempt. When
        ///   the task is cancelled, it throws `cancelled` immediately. Any other error of
        ///   ``ResponseStream/open(adding:)`` ends the events too.
        public mutating func next() async throws -> ServerSentEvent? {
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

        /// Connects, or reads one piece.
        private mutating func advance() async throws -> ServerSentEvent? {
            do {
                guard connection != nil else {
                    try await connect()
                    return nil
                }
                let (silence, clock) = (source.policy.silence, source.policy.clock)
                let event = try await connection?.next(silence: silence, clock: clock)
                learn()
                if event != nil { state.eventCame() }
                return event
            } catch {
                learn()
                let life = connection?.age ?? .zero
                connection = nil
                try await recover(from: error, after: life)
                return nil
            }
        }

        private mutating func connect() async throws {
            let response = try await source.stream.unmapped.open(adding: state.fields)
            switch state.judge(statusCode: response.statusCode, contentType: response.headers.contentType) {
            case .read:
                let parser = ServerSentEventParser(lastEventID: state.lastEventID, maximumSize: source.maximumSize)
                connection = EventConnection(response, parser: parser, clock: source.policy.clock)
            case .end: end()
            case .fail(let error): throw error.with(headOf: response)
            }
        }

        private mutating func recover(from error: any Error, after life: Duration) async throws {
            switch state.lost(error, after: life, chance: source.policy.random()) {
            case .fail(let error): throw error
            case .connect(let wait):
                if wait > .zero { try await source.policy.clock.sleep(for: wait) }
            }
        }

        private mutating func learn() {
            guard let parser = connection?.parser else { return }
            state.streamSaid(lastEventID: parser.lastEventID, reconnectionTime: parser.reconnectionTime)
        }

        private mutating func end() {
            connection = nil
            hasEnded = true
        }
    }
}

extension EventSourceReconnection {
    /// The maximum silence of the server; `nil` for no limit.
    fileprivate var silence: Duration? { maximumSilence.flatMap { $0 > .zero ? $0 : nil } }
}

extension EventSource.AsyncIterator: ResponseReading {
    var response: DataResponse? { nil }
    var errorMapping: (@Sendable (any Error) -> any Error)? { source.stream.errorMapping }
}
