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
/// It logs at its position in the list. Listed first, it logs each request as a whole. Listed again after a retry
/// interceptor, it also logs each attempt, with the same ``LogEntry/requestID`` and a number. ``LogLevel`` lists what
/// is logged at which level; ``LogDisclosure`` controls which values are shown.
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

    /// Sends the request, and logs it and its outcome.
    ///
    /// - Throws: The errors of `next`.
    public func intercept(_ request: TransportRequest, next: Next) async throws -> DataResponse {
        guard let sink else { return try await next(request) }
        if let trail = request[LogContext.self] {
            return try await logged(request, id: trail.id, attempt: trail.nextAttempt(), next: next, sink: sink)
        }
        let trail = LogContext(id: makeRequestID(request).onOneLogLine)
        var request = request
        request[LogContext.self] = trail
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
