/// Creates the log entries for one pass of a request through a ``LoggingInterceptor``.
struct LoggedExchange: Sendable {
    let request: TransportRequest
    let id: String
    let attempt: Int?
    let level: LogLevel
    let disclosure: LogDisclosure
    let timeline: Timeline
    let sink: LoggingInterceptor.Sink
    private let start: Duration

    init(
        request: TransportRequest, id: String, attempt: Int?, level: LogLevel, disclosure: LogDisclosure,
        timeline: Timeline, sink: @escaping LoggingInterceptor.Sink
    ) {
        self.request = request
        self.id = id
        self.attempt = attempt
        self.level = level
        self.disclosure = disclosure
        self.timeline = timeline
        self.sink = sink
        start = timeline.now
    }

    func logRequest() {
        log(.request, at: attempt == nil ? .debug : .trace) { entry in
            let urlRequest = request.urlRequest
            entry.bodySize = request.bodySize
            entry.curlCommand = disclosure.curlCommand(of: request)
            guard level == .trace else { return }
            let fields = (urlRequest.allHTTPHeaderFields ?? [:]).sorted { $0.key < $1.key }
            entry.headers = disclosure.headers(fields.map { HeaderFields.Field($0.key, $0.value) }, of: request)
            entry.body = disclosure.body(
                urlRequest.httpBody, contentType: urlRequest.value(forHTTPHeaderField: "Content-Type"), of: request)
        }
    }

    func logResponse(_ response: DataResponse) {
        log(.response, at: level(of: response.statusCode), url: response.url) { entry in
            let whole = response.body.isStreamed ? nil : response
            entry.duration = timeline.now - start
            entry.statusCode = response.statusCode
            entry.source = response.source
            entry.bodySize = whole.map { Int64($0.data.count) }
            entry.metrics = response.metrics
            guard level == .trace else { return }
            entry.headers = disclosure.headers(response.headers, of: request)
            entry.body = disclosure.body(whole?.data, contentType: response.headers["Content-Type"], of: request)
        }
    }

    func logBodyEnd(_ end: BodyEnd, count: Int) {
        if case .failed(let error) = end { return logFailure(error, count: count) }
        log(.bodyEnd, at: .debug) { entry in
            entry.duration = timeline.now - start
            entry.bodySize = Int64(count)
        }
    }

    func logFailure(_ error: any Error, count: Int? = nil) {
        let level: LogLevel = error.isCancellation ? .debug : attempt == nil ? .error : .notice
        log(.failure, at: level) { entry in
            entry.duration = timeline.now - start
            entry.bodySize = count.map(Int64.init)
            entry.metrics = (error as? ErrandError)?.metrics
            let failure = Self.failure(for: error)
            entry.errorCode = failure.code.onOneLogLine
            entry.errorDescription = failure.description.onOneLogLine
        }
    }

    private func log(_ event: LogEntry.Event, at level: LogLevel, url: URL? = nil, complete: (inout LogEntry) -> Void) {
        guard level >= self.level else { return }
        let method = request.urlRequest.httpMethod ?? "GET"
        var entry = LogEntry(
            level: level, event: event, requestID: id, attempt: attempt, method: method.onOneLogLine,
            url: (url ?? request.urlRequest.url).map { disclosure.url($0, of: request) } ?? "")
        complete(&entry)
        sink(entry)
    }

    private func level(of status: Int) -> LogLevel {
        switch status {
        case 500...: attempt == nil ? .warning : .notice
        case 400...: attempt == nil ? .notice : .debug
        default: attempt == nil ? .info : .debug
        }
    }

    /// Returns the code and description of an error. For an ``ErrandError``, omits the request, which is already in the
    /// entry. For an unknown error, returns only its type, because its description may contain anything.
    private static func failure(for error: any Error) -> (code: String, description: String) {
        let isOfOurs = error is ErrandError || error is URLError || error is TransportFailure || error.isCancellation
        guard isOfOurs else {
            let type = String(describing: type(of: error))
            return (type, type)
        }
        var failure = ErrandError(transportFailure: error)
        failure.method = nil
        failure.url = nil
        failure.attempts = 0
        return (failure.code.rawValue, failure.description)
    }
}
