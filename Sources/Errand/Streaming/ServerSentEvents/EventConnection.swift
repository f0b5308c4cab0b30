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

    /// Reads at most one piece and returns the next complete event; `nil` if more pieces are needed.
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

    private func nextPiece(silence: Duration?, clock: any Clock<Duration>) async throws -> Data? {
        guard let silence else { return try await reader() }
        let piece = Pipeline<Data?, any Error> { [reader] () async throws(any Error) in try await reader() }
        let silent = ErrandError(.timedOut, reason: "the server was silent for \(silence.secondsText)")
            .with(headOf: response)
        return try await piece.timeout(silence, clock: clock, failure: silent).value
    }
}
