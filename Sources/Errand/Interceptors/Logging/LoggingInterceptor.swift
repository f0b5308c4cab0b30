/// An interceptor that logs requests, responses and failures without their secrets.
///
/// ```swift
/// class LibraryAPI: APIBase {
///     static let logging = LoggingInterceptor(level: .debug)
///     override init() {
///         super.init()
///         interceptors = [Self.logging]
///     }
/// }
/// ```
///
/// It logs at its position in the list. Listed first, it logs each request as a whole. Listed again after a
/// ``RetryInterceptor``, it also logs each attempt. An ``APIBase/retryPolicy`` comes before the list, so with it, only
/// the attempts are logged. All attempts of a request have the same ``LogEntry/requestID``, and a number.
/// ``LogLevel`` lists what is logged at which level; ``LogDisclosure`` controls which values are shown.
///
/// Entries go to a closure, which can pass them to any logging library. By default they are printed to standard error
/// in debug builds, and discarded in release builds: see ``standardErrorInDebugBuilds``.
public final class LoggingInterceptor: Interceptor {
    /// A closure that receives entries. It is called on the thread of the event, also concurrently, and must be fast.
    public typealias Sink = @Sendable (LogEntry) -> Void

    /// The minimum level of entries.
    public let level: LogLevel
    /// The rules for showing data that could be secret.
    public let disclosure: LogDisclosure
    private let makeRequestID: @Sendable (TransportRequest) -> String
    private let timeline: Timeline
    private let sink: Sink?

    /// Creates an interceptor.
    ///
    /// - Parameters:
    ///   - level: The minimum level of entries; `info` by default.
    ///   - disclosure: The rules for showing data that could be secret.
    ///   - clock: The clock for durations.
    ///   - sink: The closure that receives entries; `nil` to log nothing.
    ///   - requestID: Returns the identifier of a request's entries; by default eight random hexadecimal digits.
    public init(
        level: LogLevel = .info, disclosure: LogDisclosure = LogDisclosure(),
        clock: any Clock<Duration> = ContinuousClock(), sink: Sink? = LoggingInterceptor.standardErrorInDebugBuilds,
        requestID: @escaping @Sendable (TransportRequest) -> String = { _ in LoggingInterceptor.randomID() }
    ) {
        self.level = level
        self.disclosure = disclosure
        makeRequestID = requestID
        timeline = Timeline(clock)
        self.sink = sink
    }

    /// As listed: it adds no credentials.
    public var placement: InterceptorPlacement { .asListed }

    /// Sends the request, and logs it and its outcome.
    ///
    /// - Throws: The errors of `next`.
    public func intercept(_ request: TransportRequest, next: Next) async throws -> DataResponse {
        guard let sink else { return try await next(request) }
        // The first logging interceptor of a request passes the context to the next one, which logs each pass of the
        // request as an attempt.
        let outer = request[LogContext.self]
        let context = outer ?? request.sharedByAttempts(LogContext(id: makeRequestID(request).onOneLogLine))
        var request = request
        request[LogContext.self] = context
        let exchange = LoggedExchange(
            request: request, id: context.id, attempt: outer?.nextAttempt() ?? request.attempt,
            isDetail: outer != nil, level: level, disclosure: disclosure, timeline: timeline, sink: sink)
        exchange.logRequest()
        do {
            let response = try await next(request)
            exchange.logResponse(response)
            guard response.body.isStreamed else { return response }
            return response.watched { exchange.logBodyEnd($0, count: $1) }
        } catch {
            exchange.logFailure(error)
            throw error
        }
    }

    /// Eight random hexadecimal digits.
    public static func randomID() -> String {
        String(format: "%08x", UInt32.random(in: .min ... .max))
    }
}

extension LoggingInterceptor {
    /// Returns a sink that writes each entry to a file as one line that begins with the level.
    public static func lines(to file: FileHandle) -> Sink {
        { entry in
            // A closed pipe must not fail the request.
            try? file.write(contentsOf: Data("\(entry.level): \(entry)\n".utf8))
        }
    }

    /// A sink that prints to standard error if Errand was built for debugging; otherwise `nil`.
    ///
    /// SwiftPM builds a package in the configuration of the program, so `swift build -c release` logs nothing. Xcode
    /// builds packages only for debug or release, and uses debug if the name of the configuration begins with "Debug".
    /// So an app's "Staging" configuration logs nothing, even if the app itself sets `DEBUG`. Pass your own sink to be
    /// independent of this.
    public static let standardErrorInDebugBuilds: Sink? = isDebugBuild ? lines(to: .standardError) : nil

    /// Whether the compiler did not optimize; determined in the same way as `assert` does.
    private static var isDebugBuild: Bool {
        var isDebugBuild = false
        assert(
            {
                isDebugBuild = true
                return true
            }())
        return isDebugBuild
    }
}

/// Creates the log entries for one pass of a request through a ``LoggingInterceptor``.
struct LoggedExchange: Sendable {
    let request: TransportRequest
    let id: String
    /// The number of the attempt; `nil` if this pass is the request as a whole.
    let attempt: Int?
    /// Whether an earlier interceptor logs the same request, so that this one logs at lower levels.
    let isDetail: Bool
    /// The minimum level of entries.
    let level: LogLevel
    let disclosure: LogDisclosure
    let timeline: Timeline
    let sink: LoggingInterceptor.Sink
    private let start: Duration

    init(
        request: TransportRequest, id: String, attempt: Int?, isDetail: Bool, level: LogLevel,
        disclosure: LogDisclosure, timeline: Timeline, sink: @escaping LoggingInterceptor.Sink
    ) {
        self.request = request
        self.id = id
        self.attempt = attempt
        self.isDetail = isDetail
        self.level = level
        self.disclosure = disclosure
        self.timeline = timeline
        self.sink = sink
        start = timeline.now
    }

    func logRequest() {
        log(.request, at: isDetail ? .trace : .debug) { entry in
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
        let level: LogLevel = error.isCancellation ? .debug : isDetail ? .notice : .error
        log(.failure, at: level) { entry in
            entry.duration = timeline.now - start
            entry.bodySize = count.map(Int64.init)
            entry.metrics = (error as? ErrandError)?.metrics
            let failure = Self.failure(for: error)
            entry.errorCode = failure.code.onOneLogLine
            entry.errorDescription = failure.description.onOneLogLine
        }
    }

    /// Passes an entry to the sink if the level is high enough.
    ///
    /// - Parameter complete: Adds the properties of this kind of event; not called for an entry that is discarded.
    private func log(_ event: LogEntry.Event, at level: LogLevel, url: URL? = nil, complete: (inout LogEntry) -> Void) {
        guard level >= self.level else { return }
        let method = request.urlRequest.httpMethod ?? "GET"
        var entry = LogEntry(
            level: level, event: event, requestID: id, attempt: attempt, method: method.onOneLogLine,
            url: (url ?? request.urlRequest.url).map { disclosure.url($0, of: request) } ?? "",
            operation: request.operation, template: request.template)
        complete(&entry)
        sink(entry)
    }

    private func level(of status: Int) -> LogLevel {
        switch status {
        case 500...: isDetail ? .notice : .warning
        case 400...: isDetail ? .debug : .notice
        default: isDetail ? .debug : .info
        }
    }

    /// Returns the code and description of an error, without the request and the attempt, which have their own
    /// properties in the entry. For an unknown error, returns only its type, because its description may contain
    /// anything.
    private static func failure(for error: any Error) -> (code: String, description: String) {
        let isKnown = error is ErrandError || error is URLError || error is TransportFailure || error.isCancellation
        guard isKnown else {
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
