import Errand

/// Passes requests on to the network, and records them with their outcomes.
final class Recorder: Sendable {
    private let cassette: Cassette
    private let recording: Locked<Recording>

    init(_ cassette: Cassette) {
        self.cassette = cassette
        recording = Locked(Recording(limit: cassette.maximumBodySize))
    }

    /// The entries recorded so far.
    var entries: [HAR.Entry] { recording.withLock { $0.entries } }

    /// Ends the recording.
    ///
    /// - Returns: The entries. For responses that are still being read, they contain the part read so far.
    func end() -> [HAR.Entry] {
        let drafts = recording.withLock { recording in
            recording.end()
            return recording.drafts
        }
        for id in drafts { endBody(id, .released) }
        return entries
    }

    func record(_ request: TransportRequest, next: Next) async throws -> DataResponse {
        guard let id = recording.withLock({ $0.begin() }) else {
            let reason = "the request was sent after the recording of \(cassette.file.lastPathComponent) had ended"
            throw ErrandError(.notRecorded, reason: reason).with(request: request.urlRequest)
        }
        let date = cassette.now()
        let tap = request.bodyStream.map { RequestBodyTap($0, limit: cassette.maximumBodySize) }
        var sent = request
        sent.bodyStream = tap?.stream
        var response: DataResponse
        do {
            response = try await next(sent)
        } catch {
            recordFailure(error, EntryMaker(request, tap, date, cassette), id)
            throw Self.marked(error)
        }
        response.peer = .recordedServer
        // The messages of a WebSocket are not recorded.
        guard response.statusCode != 101 else {
            recording.withLock { $0.drop(id) }
            return response
        }
        let maker = EntryMaker(request, tap, date, cassette)
        if response.body.isStreamed {
            watch(&response, maker, id)
        } else {
            let entry = maker.entry(of: response)
            recording.withLock { $0.record(entry, id) }
        }
        return response
    }

    private func recordFailure(_ error: any Error, _ maker: EntryMaker, _ id: Int) {
        guard let code = error.recordedCode else { return recording.withLock { $0.drop(id) } }
        let entry = maker.entry(failedWith: code, error.recordedMetrics)
        recording.withLock { $0.record(entry, id) }
    }

    private func watch(_ response: inout DataResponse, _ maker: EntryMaker, _ id: Int) {
        let head = DataResponse(statusCode: response.statusCode, headers: response.headers, url: response.url)
        recording.withLock { $0.read(head, maker, id) }
        let body = RecordedBody(response.body) { [recording] piece in
            recording.withLock { $0.append(piece, id) }
        } onEnd: { [weak self] end in
            self?.endBody(id, end)
        }
        response.body = ResponseBody { () async throws in
            do { return try await body.next() } catch { throw Self.marked(error) }
        }
    }

    /// Marks an error as that of a recorded server, which no test shows.
    private static func marked(_ error: any Error) -> any Error {
        guard var failure = error as? ErrandError else { return error }
        failure.peer = .recordedServer
        return failure
    }

    private func endBody(_ id: Int, _ end: RecordedBody.End) {
        guard let draft = recording.withLock({ $0.takeDraft(id) }) else { return }
        let entry = draft.maker.entry(of: draft, end)
        recording.withLock { $0.record(entry, id) }
    }
}

extension Error {
    /// The metrics of a failed transfer; `nil` if the transport measures nothing.
    var recordedMetrics: TransferMetrics? {
        (self as? ErrandError)?.metrics ?? (self as? TransportFailure)?.metrics
    }

    /// The failure of a transfer, for replay; `nil` for a cancelled request and for a request that could not be sent.
    var recordedCode: URLError.Code? {
        let cause = (self as? TransportFailure)?.error ?? (self as? ErrandError)?.underlyingError ?? self
        guard let code = (cause as? URLError)?.code, code != .cancelled else { return nil }
        return code
    }
}
