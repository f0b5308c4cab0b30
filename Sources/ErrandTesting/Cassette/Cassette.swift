public import Errand

/// Requests and their responses in a HAR file. They are recorded once over the network, and then replayed without it.
///
/// ```swift
/// let cassette = Cassette(at: folder.appendingPathComponent("users.har"))
/// let users = try await cassette.run { try await UsersRequest().start().value }
/// ```
///
/// By default a cassette is replayed, and a missing file fails the test. To record the file, run the test once with the
/// environment variable `ERRAND_RECORD`:
///
/// ```text
/// ERRAND_RECORD=users swift test --filter UserTests
/// ```
///
/// | value | recorded cassettes |
/// |---|---|
/// | `all` | every cassette |
/// | `missing` | every cassette that has no file |
/// | `users`, `users,books`, `books/`, `books/of an author` | the cassettes with these names. A name is the end of the file's path without its extension, or, if it ends with a slash, the end of its folder's path |
///
/// The modes ``Mode/replay`` and ``Mode/record`` ignore the environment variable.
///
/// While ``run(_:)`` runs its closure, the cassette takes the place of the network for all requests that are started in
/// the closure's task or its child tasks. It comes after their interceptors, so retries, tokens, caches and validation
/// work as usual. Requests with their own stub do not use the cassette. For Swift Testing there is a trait:
/// `@Test(.cassette("users"))`.
///
/// A response is recorded as an interceptor sees it: after redirects and content decoding. A failure is recorded too,
/// and is replayed as the same failure. Secrets are removed according to ``Redaction``. The developer tools of any
/// browser can open the file.
///
/// A cassette has no global state: concurrent tests each use their own.
public struct Cassette: Sendable {
    /// Whether a cassette replays its file or records it.
    public enum Mode: Hashable, Sendable {
        /// Replays the file, unless the environment variable `ERRAND_RECORD` selects this cassette for recording.
        case environment
        /// Replays the file; nothing is sent. A missing file fails with `notRecorded`.
        case replay
        /// Sends every request, and replaces the file.
        case record
    }

    /// The HAR file.
    public let file: URL
    /// Whether the file is replayed or recorded.
    public let mode: Mode
    /// The rule for choosing the entry for a request.
    public let matching: Matching
    /// The rules for removing secrets from the file.
    public let redaction: Redaction
    /// Whether the end of a replay fails if there are entries that were not used.
    public let requiresAllUsed: Bool
    /// The maximum number of bytes that are recorded of each body.
    public let maximumBodySize: Int
    let now: @Sendable () -> Date
    /// Reads an environment variable.
    var environment: @Sendable (String) -> String? = { ProcessInfo.processInfo.environment[$0] }
    /// Prints a message about a recording.
    var report: @Sendable (String) -> Void = { FileHandle.standardError.write(Data("Cassette: \($0)\n".utf8)) }

    /// The default maximum number of bytes that are recorded of each body: 16 MiB.
    public static let defaultMaximumBodySize = 16 << 20

    /// Creates a cassette. Nothing is read or written yet.
    ///
    /// - Parameters:
    ///   - file: The HAR file. A missing folder is created when the file is written.
    ///   - mode: Whether the file is replayed or recorded; by default it is replayed unless `ERRAND_RECORD` selects it.
    ///   - matching: The rule for choosing the entry for a request; by default the same method and URL, each entry
    ///     once, in order.
    ///   - redaction: The rules for removing secrets from the file.
    ///   - requiresAllUsed: Whether the end of a replay fails if there are entries that were not used; `false` by
    ///     default.
    ///   - maximumBodySize: The maximum number of bytes that are recorded of each body, after decoding; 16 MiB by
    ///     default, and less than zero counts as zero. A longer response cannot be replayed completely.
    ///   - now: Returns the current time, for the dates in the file.
    public init(
        at file: URL, mode: Mode = .environment, matching: Matching = Matching(),
        redacting redaction: Redaction = Redaction(),
        requiresAllUsed: Bool = false, maximumBodySize: Int = Cassette.defaultMaximumBodySize,
        now: @escaping @Sendable () -> Date = { Date() }
    ) {
        self.file = file
        self.mode = mode
        self.matching = matching
        self.redaction = redaction
        self.requiresAllUsed = requiresAllUsed
        self.maximumBodySize = max(0, maximumBodySize)
        self.now = now
    }

    /// Runs a closure whose requests are recorded or replayed.
    ///
    /// A recording is written when the closure has returned, if it sent any request. It is not written if the closure
    /// throws or its task is cancelled, because it would be incomplete. The file then stays unchanged.
    ///
    /// - Throws: The errors of the closure. Before the closure, `ErrandError` with `notRecorded` if the file is
    ///   missing, with `fileAccessFailed` if it cannot be read, or with `invalidCassette` if it is not in the HAR
    ///   format. After the closure, `fileAccessFailed` if the recording cannot be written, or `entriesUnused`.
    public func run<Result>(_ body: () async throws -> Result) async throws -> Result {
        try await withRun { _ in try await body() }
    }

    /// As ``run(_:)``, for a closure that needs the run.
    package func withRun<Result>(_ body: (Run) async throws -> Result) async throws -> Result {
        let run = try start()
        let result: Result
        do {
            result = try await run.asTestNetwork { try await body(run) }
        } catch {
            run.abandon()
            throw error
        }
        if Task.isCancelled { run.abandon() }
        try run.finish()
        return result
    }

    /// Begins a run for requests that list it among their interceptors. End it with ``Run/finish()``.
    ///
    /// - Throws: The errors that ``run(_:)`` throws before its closure.
    public func start() throws(ErrandError) -> Run {
        let exists = FileManager.default.fileExists(atPath: file.path)
        let records =
            switch mode {
            case .environment:
                RecordingSelection(environment(RecordingSelection.variable)).includes(file, exists: exists)
            case .replay: false
            case .record: true
            }
        if records { return Run(recording: self) }
        guard exists else {
            throw ErrandError(.notRecorded, reason: "there is no cassette at \(file.path). \(howToRecord)")
        }
        return try Run(replaying: self, HAR(contentsOf: file))
    }

    private var howToRecord: String {
        guard mode == .environment else {
            return "To record it, replace \"mode: .replay\" by \"mode: .record\" and run the test once"
        }
        let value = RecordingSelection.value(for: file)
        return "To record it, run the test once with \(RecordingSelection.variable)=\"\(value)\" in the environment"
    }
}
