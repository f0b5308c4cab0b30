import Errand

/// Makes an entry without secrets from a request and its outcome.
struct EntryMaker: Sendable {
    private let date: Date
    private let urlRequest: URLRequest
    private let request: HAR.Request
    /// The places of redacted values in the request.
    private let places: [HAR.RedactedValue]
    private let redactor: Redactor
    private let limit: Int

    /// - Parameters:
    ///   - tap: The part of a streamed body that was sent.
    ///   - date: The time when the request was sent.
    init(_ request: TransportRequest, _ tap: RequestBodyTap?, _ date: Date, _ cassette: Cassette) {
        self.date = date
        // Used only to compare its URL with the URL of the response.
        urlRequest = URLRequest(url: request.urlRequest.url ?? URL(fileURLWithPath: "/"))
        redactor = Redactor(cassette.redaction, credentials: CredentialNames(request))
        let limit = cassette.maximumBodySize
        self.limit = limit
        let body = tap?.body ?? (request.urlRequest.httpBody.map { (data: Data($0.prefix(limit)), count: $0.count) })
        let sent = HAR.Request(request.urlRequest, body: body?.data, bodySize: body?.count)
        self.request = redactor.redacted(sent)
        places = RedactionDifference.places(sent, self.request)
    }

    /// Returns the entry for a complete response.
    func entry(of dataResponse: DataResponse) -> HAR.Entry {
        var entry = entry(of: HAR.Response(dataResponse, to: urlRequest, limit: limit))
        entry.add(dataResponse.metrics)
        return entry
    }

    /// Returns the entry for a streamed response.
    func entry(of draft: Recording.Draft, _ end: RecordedBody.End) -> HAR.Entry {
        let dataResponse = DataResponse(
            statusCode: draft.head.statusCode, headers: draft.head.headers, data: draft.body, url: draft.head.url)
        var response = HAR.Response(dataResponse, to: urlRequest, limit: limit)
        response.content.size = draft.count
        if draft.count > draft.body.count {
            response.content.cut = .limit
            response.content.comment = "the first \(draft.body.count) of \(draft.count) bytes that were read"
        }
        var error: HAR.Failure?
        var metrics: TransferMetrics?
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
            metrics = cause.recordedMetrics
        }
        var entry = entry(of: response)
        entry.error = error
        entry.add(metrics)
        return entry
    }

    /// Returns the entry for a request that failed.
    func entry(failedWith code: URLError.Code, _ metrics: TransferMetrics?) -> HAR.Entry {
        var entry = entry(of: .none)
        entry.error = HAR.Failure(code)
        entry.add(metrics)
        return entry
    }

    /// Returns the entry for a response that is not redacted yet.
    private func entry(of response: HAR.Response) -> HAR.Entry {
        // A missing response must stay equal to `none`, so it is not passed to the redactor.
        let kept = response == .none ? response : redactor.redacted(response)
        var entry = HAR.Entry(startedDateTime: HAR.Entry.text(of: date), request: request, response: kept)
        let places = places + RedactionDifference.places(response, kept)
        entry.redacted = places.isEmpty ? nil : places
        return entry
    }
}
