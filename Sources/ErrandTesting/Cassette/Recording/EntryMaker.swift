import Errand

/// Makes an entry without secrets from a request and its outcome.
struct EntryMaker: Sendable {
    private let date: Date
    private let urlRequest: URLRequest
    private let request: HAR.Request
    /// The places of redacted values in the request.
    private let places: [HAR.RedactedValue]
    private let redactor: Redactor
    private let rules: RecordingRules

    /// - Parameters:
    ///   - tap: The part of a streamed body that was sent.
    ///   - date: The time when the request was sent.
    init(_ request: TransportRequest, _ tap: RequestBodyTap?, _ date: Date, _ rules: RecordingRules) {
        self.date = date
        // Used only to compare its URL with the URL of the response.
        urlRequest = URLRequest(url: request.urlRequest.url ?? URL(fileURLWithPath: "/"))
        self.rules = rules
        redactor = Redactor(rules.redaction, credentials: CredentialNames(request))
        let limit = rules.maximumBodySize
        let body = tap?.body ?? (request.urlRequest.httpBody.map { (data: Data($0.prefix(limit)), count: $0.count) })
        let sent = HAR.Request(request.urlRequest, body: body?.data, bodySize: body?.count)
        self.request = redactor.redacted(sent)
        places = RedactionDifference.places(sent, self.request)
    }

    /// The number of bytes of the request body that are held.
    var bodySize: Int { request.postData?.text?.utf8.count ?? 0 }

    /// Returns the entry for a complete response.
    func entry(of dataResponse: DataResponse) -> HAR.Entry {
        let response = HAR.Response(dataResponse, to: urlRequest, limit: rules.maximumBodySize)
        return entry(of: response, dataResponse.metrics, from: dataResponse.url ?? urlRequest.url, dataResponse.source)
    }

    /// Returns the entry for a streamed response.
    func entry(of draft: Recording.Draft, _ end: RecordedBody.End) -> HAR.Entry {
        let dataResponse = DataResponse(
            statusCode: draft.head.statusCode, headers: draft.head.headers, data: draft.body, url: draft.head.url)
        var response = HAR.Response(dataResponse, to: urlRequest, limit: rules.maximumBodySize, size: draft.count)
        if draft.count > draft.body.count {
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
            error = rules.failure(cause)
            response.content.cut = response.content.cut ?? (error == nil ? .released : .failed)
            if error != nil { metrics = cause.recordedMetrics }
        }
        let url = draft.head.url ?? urlRequest.url
        return entry(of: response, metrics, from: url, draft.head.source, failedWith: error)
    }

    /// Returns the entry for a request that failed; `nil` for a failure that is not recorded.
    func entry(failedWith error: any Error) -> HAR.Entry? {
        // The server of a failure after a redirect is unknown.
        let isRedirected = (error.recordedMetrics?.redirects ?? 0) > 0
        let url = isRedirected ? nil : (error as? ErrandError)?.exactURL ?? urlRequest.url
        return rules.failure(error).map { entry(of: .none, error.recordedMetrics, from: url, failedWith: $0) }
    }

    /// Returns the entry for a response that is not redacted yet.
    ///
    /// - Parameter url: The URL of the server that responded; `nil` if it is unknown.
    private func entry(
        of response: HAR.Response, _ metrics: TransferMetrics?, from url: URL?, _ source: ResponseSource = .network,
        failedWith error: HAR.Failure? = nil
    ) -> HAR.Entry {
        let isRecorded = rules.recordsServer(url)
        // A missing response must stay equal to `none`, so it is not passed to the redactor.
        var (kept, places) = (HAR.Response(status: response.status), places)
        if response != .none, isRecorded {
            kept = redactor.redacted(response, to: request)
            places += RedactionDifference.places(response, kept)
        } else if response != .none {
            kept.comment = "from a host that is not recorded"
        }
        var entry = HAR.Entry(startedDateTime: HAR.Entry.text(of: date), request: request, response: kept)
        entry.redacted = places.isEmpty ? nil : places
        entry.error = error
        entry.comment = source == .network ? nil : "the source of the response: \(source)"
        // A stub and a stream that was read to its end have no metrics.
        entry.add(isRecorded ? metrics : nil, duration: rules.now().timeIntervalSince(date))
        return entry
    }
}
