/// Logs requests, answers and failures, without their secrets.
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
/// It logs what passes the place where it is listed. Listed first, it sees each request as a whole; listed once more
/// behind a retry, each attempt too, with the same ``LogEntry/requestID`` and a number. ``LogLevel`` says what is logged
/// at which level; ``LogDisclosure``, what is shown of it.
///
/// Entries go to a closure, and from there to any logging library. By default they are printed to standard error, and in
/// release builds go nowhere: see ``standardErrorInDebugBuilds``.
public final class LoggingInterceptor: Interceptor {
    /// Where entries go. It is called on the thread where something happens, also by several at once, and must be quick.
    public typealias Sink = @Sendable (LogEntry) -> Void

    /// Entries below this are not made.
    public let level: LogLevel
    /// What is shown of what could be secret.
    public let disclosure: LogDisclosure
    private let makeRequestID: @Sendable (TransportRequest) -> String
    private let timeline: Timeline
    private let sink: Sink?

    /// A log of all requests that list it.
    ///
    /// - Parameters:
    ///   - level: Entries below this are not made; `info` by default.
    ///   - disclosure: What is shown of what could be secret.
    ///   - clock: Who tells how long things take.
    ///   - sink: Where entries go; nil for nowhere.
    ///   - requestID: What ties the entries of a request together; eight random digits by default.
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

    /// Sends the request on, and logs what comes of it.
    ///
    /// - Throws: What `next` throws.
    public func intercept(_ request: TransportRequest, next: Next) async throws -> DataResponse {
        guard let sink else { return try await next(request) }
        if let trail = request[LogTrail.self] {
            return try await logged(request, id: trail.id, attempt: trail.nextAttempt(), next: next, sink: sink)
        }
        let trail = LogTrail(id: makeRequestID(request).onOneLogLine)
        var request = request
        request[LogTrail.self] = trail
        return try await logged(request, id: trail.id, attempt: nil, next: next, sink: sink)
    }

    private func logged(
        _ request: TransportRequest, id: String, attempt: Int?, next: Next, sink: @escaping Sink
    ) async throws -> DataResponse {
        let exchange = LoggedExchange(
            request: request, id: id, attempt: attempt, level: level, disclosure: disclosure, timeline: timeline,
            sink: sink)
        exchange.logRequest()
        do {
            let answer = try await next(request)
            exchange.logResponse(answer)
            guard answer.body.isStreamed else { return answer }
            return answer.watched { exchange.logBodyEnd($0, count: $1) }
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
    /// Prints each entry to a file, as one line with the level in front.
    public static func lines(to file: FileHandle) -> Sink {
        { entry in
            // A reader that has gone away is no failure of the program's.
            try? file.write(contentsOf: Data("\(entry.level): \(entry)\n".utf8))
        }
    }

    /// Prints to standard error when Errand was built for debugging, and is nil otherwise.
    ///
    /// SwiftPM builds a package the way it builds the program it is for, so `swift build -c release` is silent. Xcode
    /// knows only debug and release for packages, and takes a configuration for debug when its name begins with "Debug":
    /// an app's "Staging" is silent too, even where the app itself has `DEBUG` set. Whoever wants to be sure passes a sink.
    public static let standardErrorInDebugBuilds: Sink? = isDebugBuild ? lines(to: .standardError) : nil

    /// Asked of the compiler's optimization, as `assert` does.
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
