import Errand

/// Answers requests from a tape.
final class Player: Sendable {
    private let cassette: Cassette
    private let tape: Locked<Tape>

    init(_ cassette: Cassette, _ archive: HAR) {
        self.cassette = cassette
        let redactor = Redactor(cassette.redaction)
        let parts = cassette.matching.parts
        let entries = archive.log.entries.map { entry in
            // What somebody else recorded may have secrets in it, which are not compared and not shown.
            var entry = entry
            entry.request = redactor.redacted(entry.request)
            return Tape.Entry(entry: entry, facts: parts.flatMap { $0.facts(entry.request) })
        }
        tape = Locked(Tape(entries, name: cassette.file.lastPathComponent, matching: cassette.matching))
    }

    /// Answers no more.
    ///
    /// - Returns: What was not asked for.
    func end() -> [(number: Int, entry: HAR.Entry)] {
        tape.withLock { tape in
            tape.end()
            return tape.unused
        }
    }

    func answer(_ request: TransportRequest) async throws -> DataResponse {
        if Task.isCancelled { throw ErrandError(.cancelled) }
        let limit = cassette.maximumBodySize
        var body = request.urlRequest.httpBody.map { Data($0.prefix(limit)) }
        if let stream = request.bodyStream, comparesBodies { body = try await contents(of: stream) }
        let sent = Redactor(cassette.redaction, for: request).redacted(
            HAR.Request(request.urlRequest, body: body, bodySize: request.urlRequest.httpBody?.count))
        let facts = cassette.matching.parts.flatMap { $0.facts(sent) }
        switch tape.withLock({ $0.take(facts, of: sent) }) {
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

    private var comparesBodies: Bool { cassette.matching.parts.contains { $0.readsBody } }

    /// As much of a stream as would have been recorded of it.
    private func contents(of stream: BodyStream) async throws -> Data {
        let read = try stream.open()
        var contents = Data()
        while contents.count < cassette.maximumBodySize, let piece = try await read() { contents += piece }
        return Data(contents.prefix(cassette.maximumBodySize))
    }
}
