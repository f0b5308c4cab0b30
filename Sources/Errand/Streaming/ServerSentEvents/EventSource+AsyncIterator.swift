extension EventSource {
    /// Goes from event to event, and from connection to connection; to be used by one task at a time.
    public struct AsyncIterator: AsyncIteratorProtocol {
        private let source: EventSource
        private var state: EventSourceState
        /// The one that is open; letting go of it closes it.
        private var connection: EventConnection?
        private var hasEnded = false

        init(_ source: EventSource) {
            self.source = source
            state = EventSourceState(source.policy, lastEventID: source.lastEventID)
        }

        /// The next event; nil when the server wants no more connections, and for good after an error.
        ///
        /// - Throws: ``ErrandError`` with `unacceptableStatusCode` or `unacceptableContentType` for an answer without
        ///   events, `elementTooLarge`, what the last attempt failed with when it gives up, and `cancelled` at once when the
        ///   task is cancelled. Anything else that ``ResponseStream/open(adding:)`` throws ends the events too.
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

        /// Goes one step on: connects, or reads one piece.
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
            let answer = try await source.stream.unmapped.open(adding: state.fields)
            switch state.judge(statusCode: answer.statusCode, contentType: answer.headers.contentType) {
            case .read:
                let parser = ServerSentEventParser(lastEventID: state.lastEventID, maximumSize: source.maximumSize)
                connection = EventConnection(answer, parser: parser, clock: source.policy.clock)
            case .end: end()
            case .fail(let error): throw error.with(answer: answer)
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
    /// How long the server may be silent, where that is bounded.
    fileprivate var silence: Duration? { maximumSilence.flatMap { $0 > .zero ? $0 : nil } }
}
