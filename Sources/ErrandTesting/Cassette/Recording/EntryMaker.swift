import Errand

/// Makes an entry of a request and what came of it, without secrets.
struct EntryMaker: Sendable {
    private let date: Date
    private let urlRequest: URLRequest
    private let request: HAR.Request
    /// What was redacted of the request.
    private let places: [HAR.RedactedValue]
    private let redactor: Redactor
    private let limit: Int

    /// - Parameters:
    ///   - tap: What was sent of a body that is a stream.
    ///   - date: When it was sent.
    init(_ request: TransportRequest, _ tap: RequestBodyTap?, _ date: Date, _ cassette: Cassette) {
        self.date = date
        // Where the answer came from is compared with it, and nothing else.
        urlRequest = URLRequest(url: request.urlRequest.url ?? URL(fileURLWithPath: "/"))
        redactor = Redactor(cassette.redaction, credentials: CredentialNames(request))
        let limit = cassette.maximumBodySize
        self.limit = limit
        let body = tap?.body ?? (request.urlRequest.httpBody.map { (data: Data($0.prefix(limit)), count: $0.count) })
        let sent = HAR.Request(request.urlRequest, body: body?.data, bodySize: body?.count)
        self.request = redactor.redacted(sent)
        places = RedactionDifference.places(sent, self.request)
    }

    /// The entry of a whole answer.
    func entry(of answer: DataResponse) -> HAR.Entry {
        var entry = entry(of: HAR.Response(answer, to: urlRequest, limit: limit))
        entry.add(answer.metrics)
        return entry
    }

    /// The entry of an answer that was read as it came.
    func entry(of draft: Recording.Draft, _ end: RecordedBody.End) -> HAR.Entry {
        let answer = DataResponse(
            statusCode: draft.head.statusCode, headers: draft.head.headers, data: draft.body, url: draft.head.url)
        var response = HAR.Response(answer, to: urlRequest, limit: limit)
        response.content.size = draft.count
        if draft.count > draft.body.count {
            response.content.cut = .limit
            response.content.comment = "the first \(draft.body.count) of \(draft.count) bytes that were read"
        }
        var error: HAR.Failure?
        switch end {
        case .whole: break
        case .released:
            response.content.cut = response.content.cut ?? .released
            response.content.comment = response.content.comment ?? "not read any further"
        case .failed(let cause):
            guard let code = cause.recordedCode else {
                response.content.cut = response.content.cut ?? .released
                break
            }
            response.content.cut = response.content.cut ?? .failed
            error = HAR.Failure(code)
        }
        var entry = entry(of: response)
        entry.error = error
        return entry
    }

    /// The entry of a request that failed.
    func entry(failedWith code: URLError.Code, _ metrics: TransferMetrics?) -> HAR.Entry {
        var entry = entry(of: .none)
        entry.error = HAR.Failure(code)
        entry.add(metrics)
        return entry
    }

    /// The entry of a response as it came.
    private func entry(of response: HAR.Response) -> HAR.Entry {
        // No response is no secret.
        let kept = response == .none ? response : redactor.redacted(response)
        var entry = HAR.Entry(startedDateTime: HAR.Entry.text(of: date), request: request, response: kept)
        let places = places + RedactionDifference.places(response, kept)
        entry.redacted = places.isEmpty ? nil : places
        return entry
    }
}
