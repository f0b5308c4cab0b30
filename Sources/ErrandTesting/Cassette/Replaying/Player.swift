import Errand

/// Replays the entries of a cassette.
final class Player: Sendable {
    private struct State: Sendable {
        var tape: Tape
        /// The compared facts of each entry, by the credential names with which it was redacted.
        var facts: [CredentialNames: [[Fact]]] = [:]
        /// The credential names of all requests so far.
        var credentials = CredentialNames()
    }

    private let cassette: Cassette
    /// The entries of the file.
    let entries: [HAR.Entry]
    private let state: Locked<State>

    init(_ cassette: Cassette, _ archive: HAR) {
        self.cassette = cassette
        entries = archive.log.entries
        state = Locked(
            State(tape: Tape(entries, name: cassette.file.lastPathComponent, matching: cassette.matching)))
    }

    /// Ends the replay; later requests fail.
    ///
    /// - Returns: The entries that were not used, redacted.
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

    func response(_ request: TransportRequest) async throws -> DataResponse {
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
            throw ErrandError(.notRecorded, lines: reason.components(separatedBy: "\n")).with(
                request: request.urlRequest)
        case .entry(let entry, let index):
            let replay = Replay(entry, name: "entry \(index + 1) of \(cassette.file.lastPathComponent)")
            do {
                return try replay.response(streamed: request.streamsResponse)
            } catch {
                throw error.with(request: request.urlRequest)
            }
        }
    }

    private func comparedFacts(of request: HAR.Request) -> [Fact] {
        cassette.matching.parts.flatMap { $0.facts(request) }
    }

    /// Returns the compared facts of each entry. A file from a browser may contain secrets under names that only the
    /// request knows. Their values are neither compared nor shown.
    private func recordedFacts(hiding names: CredentialNames) -> [[Fact]] {
        let known = state.withLock { state in
            state.credentials.formUnion(names)
            return state.facts[names]
        }
        if let known { return known }
        // The redaction and the parts may call closures of the test, so the lock must not be held.
        let redactor = Redactor(cassette.redaction, credentials: names)
        let facts = entries.map { comparedFacts(of: redactor.redacted($0.request)) }
        state.withLock { $0.facts[names] = facts }
        return facts
    }

    private var comparesBodies: Bool { cassette.matching.parts.contains { $0.readsBody } }

    /// Returns the beginning of a stream, up to the size that would have been recorded.
    private func contents(of stream: BodyStream) async throws -> Data {
        let read = try stream.open()
        var contents = Data()
        while contents.count < cassette.maximumBodySize, let piece = try await read() { contents += piece }
        return Data(contents.prefix(cassette.maximumBodySize))
    }
}
