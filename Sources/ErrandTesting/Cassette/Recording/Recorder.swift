import Errand

/// The rules for the entries of a recording.
struct RecordingRules: Sendable {
    let redaction: Cassette.Redaction
    /// The maximum number of bytes that are recorded of each body.
    let maximumBodySize: Int
    /// The maximum number of bytes of all entries; `nil` for no limit.
    var maximumSize: Int?
    /// The maximum number of bytes that are held of a body while it is sent or read.
    var maximumHeldSize: Int { min(maximumBodySize, max(0, maximumSize ?? .max)) }
    let now: @Sendable () -> Date
    /// Returns the failure of an entry; `nil` for an error that is not recorded.
    let failure: @Sendable (any Error) -> HAR.Failure?
    /// Returns `true` if requests to the server of this URL are recorded, with its responses. `nil` is an unknown URL.
    var recordsServer: @Sendable (URL?) -> Bool = { _ in true }
    /// Returns a redacted entry as it is kept; `nil` if it is not recorded.
    let kept: @Sendable (HAR.Entry) -> HAR.Entry?
}

extension Cassette {
    /// The rules for entries that can be replayed: no WebSockets, and only the failures of a transfer.
    var recordingRules: RecordingRules {
        RecordingRules(
            redaction: redaction, maximumBodySize: maximumBodySize, now: now,
            failure: { $0.recordedCode.map { HAR.Failure($0) } },
            kept: { $0.response.status == 101 ? nil : $0 })
    }
}

/// Passes requests on, and records them with their outcomes.
final class Recorder: Sendable {
    private let rules: RecordingRules
    private let recording: Locked<Recording>

    init(_ rules: RecordingRules, continuing recording: Recording? = nil) {
        self.rules = rules
        self.recording = Locked(
            recording ?? Recording(limit: rules.maximumHeldSize, maximumSize: rules.maximumSize ?? .max))
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

    /// Returns what ``end()`` would leave now. This recording continues.
    func ended() -> Recording {
        let copy = Recorder(rules, continuing: recording.withLock { $0 })
        _ = copy.end()
        return copy.recording.withLock { $0 }
    }

    /// Sends a request, and records it.
    ///
    /// - Returns: The response; `nil` if its server is not recorded, or the recording has ended. The request was not
    ///   sent then.
    func record(_ request: TransportRequest, next: Next) async throws -> DataResponse? {
        guard rules.recordsServer(request.urlRequest.url), let id = recording.withLock({ $0.begin() }) else {
            return nil
        }
        let date = rules.now()
        let tap = request.bodyStream.map { body in
            RequestBodyTap(body, limit: rules.maximumHeldSize) { [recording] size in
                recording.withLock { $0.hold(size, id) }
            }
        }
        var sent = request
        sent.bodyStream = tap?.stream
        var response: DataResponse
        do {
            response = try await next(sent)
        } catch {
            record(EntryMaker(request, tap, date, rules).entry(failedWith: error), id)
            throw error
        }
        let maker = EntryMaker(request, tap, date, rules)
        // The body of a WebSocket's handshake is not read.
        if response.body.isStreamed, response.statusCode != 101 {
            watch(&response, maker, id)
        } else {
            record(maker.entry(of: response), id)
        }
        return response
    }

    private func watch(_ response: inout DataResponse, _ maker: EntryMaker, _ id: Int) {
        var head = DataResponse(statusCode: response.statusCode, headers: response.headers, url: response.url)
        head.source = response.source
        recording.withLock { [head] in $0.read(head, maker, id) }
        let body = RecordedBody(response.body) { [recording] piece in
            recording.withLock { $0.append(piece, id) }
        } onEnd: { [weak self] end in
            self?.endBody(id, end)
        }
        response.body = ResponseBody { try await body.next() }
    }

    private func endBody(_ id: Int, _ end: RecordedBody.End) {
        guard let draft = recording.withLock({ $0.takeDraft(id) }) else { return }
        record(draft.maker.entry(of: draft, end), id)
    }

    private func record(_ entry: HAR.Entry?, _ id: Int) {
        var kept = entry.flatMap { rules.kept($0) }
        var size = size(of: kept)
        if let large = kept, let bytes = size, bytes > rules.maximumSize ?? .max {
            kept = large.keepingBodies { _ in false }
            size = self.size(of: kept)
        }
        recording.withLock { $0.record(kept, size: size, id) }
    }

    /// Returns the number of bytes of an entry, or 0 without a maximum size. Returns `nil` if the entry cannot be
    /// encoded.
    private func size(of entry: HAR.Entry?) -> Int? {
        guard let entry, rules.maximumSize != nil else { return 0 }
        return try? HAR(log: HAR.Log(entries: [entry])).encoded().count
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
