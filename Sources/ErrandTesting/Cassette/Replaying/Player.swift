import Errand

/// Answers requests from a tape.
final class Player: Sendable {
    private struct State: Sendable {
        var tape: Tape
        /// What is compared of each entry, redacted with the names of the credentials that a request has.
        var facts: [CredentialNames: [[Fact]]] = [:]
        /// The names of all requests so far.
        var credentials = CredentialNames()
    }

    private let cassette: Cassette
    /// What the file holds.
    let entries: [HAR.Entry]
    private let state: Locked<State>

    init(_ cassette: Cassette, _ archive: HAR) {
        self.cassette = cassette
        entries = archive.log.entries
        state = Locked(
            State(tape: Tape(entries, name: cassette.file.lastPathComponent, matching: cassette.matching)))
    }

    /// Ends the replay: later requests fail.
    ///
    /// - Returns: The entries that no request asked for, redacted.
    func end() -> [(number: Int, entry: HAR.Entry)] {
        let (unused, credentials) = state.withLock { state in
            state.tape.end()
            return (state.tape.unused, state.credentials)
        }
        let redactor = Redactor(cassette.redaction, credentials: credentials)
        return unused.map { number, entry in
            var entry = entry
            entry.request = redactor.redacted(entry.request)
            return (number, entry)
        }
    }

    func answer(_ request: TransportRequest) async throws -> DataResponse {
        if Task.isCancelled { throw ErrandError(.cancelled) }
        let limit = cassette.maximumBodySize
        var body = request.urlRequest.httpBody.map { Data($0.prefix(limit)) }
        if let stream = request.bodyStream, comparesBodies { body = try await contents(of: stream) }
        let names = CredentialNames(request)
        let sent = Redactor(cassette.redaction, credentials: names).redacted(
            HAR.Request(request.urlRequest, body: body, bodySize: request.urlRequest.httpBody?.count))
        let facts = comparedFacts(of: sent)
        let recorded = recordedFacts(hiding: names)
        switch state.withLock({ $0.tape.take(facts, of: sent, among: recorded) }) {
        case .missing(let reason):
            throw ErrandError(.notRecorded, reason: reason).with(request: request.urlRequest)
        case .entry(let entry, let index):
            let replay = Replay(entry, name: "entry \(index + 1) of \(cassette.file.lastPathComponent)")
            do {
                return try replay.answer(streamed: request.streamsResponse)
            } catch {
                throw error.with(request: request.urlRequest)
            }
        }
    }

    private func comparedFacts(of request: HAR.Request) -> [Fact] {
        cassette.matching.parts.flatMap { $0.facts(request) }
    }

    /// What is compared of each entry. A file that a browser wrote has secrets in it, also under the names that only the request
    /// knows: they are neither compared nor shown.
    private func recordedFacts(hiding names: CredentialNames) -> [[Fact]] {
        let known = state.withLock { state in
            state.credentials.formUnion(names)
            return state.facts[names]
        }
        if let known { return known }
        // The redaction and the parts may call closures of the test, which must not run inside the lock.
        let redactor = Redactor(cassette.redaction, credentials: names)
        let facts = entries.map { comparedFacts(of: redactor.redacted($0.request)) }
        state.withLock { $0.facts[names] = facts }
        return facts
    }

    private var comparesBodies: Bool { cassette.matching.parts.contains { $0.readsBody } }

    /// As much of a stream as would have been recorded of it.
    private func contents(of stream: BodyStream) async throws -> Data {
        let read = try stream.open()
        var contents = Data()
        while contents.count < cassette.maximumBodySize, let piece = try await read() { contents += piece }
        return Data(contents.prefix(cassette.maximumBodySize))
    }
}
