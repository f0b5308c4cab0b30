public import Errand

/// Requests and their responses in a HAR file: recorded over the network once, and replayed without it.
///
/// ```swift
/// let cassette = Cassette(at: folder.appendingPathComponent("users.har"))
/// let users = try await cassette.run { try await UsersRequest().start().value }
/// ```
///
/// A cassette is replayed, and a missing file fails the test. To record the file, run the test once with the environment
/// variable `ERRAND_RECORD`:
///
/// ```text
/// ERRAND_RECORD=users swift test --filter UserTests
/// ```
///
/// | value | what is recorded |
/// |---|---|
/// | `all` | every cassette |
/// | `missing` | every cassette that has no file |
/// | `users`, `users,books`, `books/`, `books/of an author` | the cassettes of these names. A name is the end of the file's path without its extension; with a slash at its end it is the folder's |
///
/// ``Mode/replay`` and ``Mode/record`` do not ask the environment.
///
/// While ``run(_:)`` runs its closure, every request that is started in it, or in a task that is a child of its own, meets
/// the cassette where it would meet the network: behind its interceptors, so that retries, tokens, caches and validation work as
/// ever. A request with a stub of its own does not meet it. With Swift Testing it is a trait, `@Test(.cassette("users"))`.
///
/// An answer is kept as an interceptor sees it: redirects followed, content coding undone. A failure is kept too, and
/// fails in the same way when it is replayed. What is secret is left out as ``Redaction`` says. The file opens in
/// the developer tools of any browser.
///
/// Nothing of it is global: tests side by side have a cassette each, and do not see each other's.
public struct Cassette: Sendable {
    /// Whether a cassette replays its file or records it.
    public enum Mode: Hashable, Sendable {
        /// Replays, unless the environment variable `ERRAND_RECORD` says that this cassette is to be recorded.
        case environment
        /// Every request gets its response from the file. Nothing is sent. A missing file fails with `notRecorded`.
        case replay
        /// Every request is sent, and the file is written anew.
        case record
    }

    /// The file.
    public let file: URL
    /// Whether the file is replayed or recorded, or the environment decides.
    public let mode: Mode
    /// Which answer a request gets.
    public let matching: Matching
    /// What is left out of the file.
    public let redaction: Redaction
    /// Whether replaying fails at its end when there are entries that no request asked for.
    public let requiresAllUsed: Bool
    /// How many bytes of each body are recorded.
    public let maximumBodySize: Int
    let now: @Sendable () -> Date
    /// Reads an environment variable.
    var environment: @Sendable (String) -> String? = { ProcessInfo.processInfo.environment[$0] }
    /// Shows what a recording has to say.
    var report: @Sendable (String) -> Void = { FileHandle.standardError.write(Data("Cassette: \($0)\n".utf8)) }

    /// The most bytes of a body that are recorded, unless a cassette says otherwise: 16 MiB.
    public static let defaultMaximumBodySize = 16 << 20

    /// A cassette in a file. Nothing is read or written yet.
    ///
    /// - Parameters:
    ///   - file: The HAR file. Its folder is made when it is written.
    ///   - mode: Whether the file is replayed or recorded; by default it is replayed unless `ERRAND_RECORD` names it.
    ///   - matching: Which answer a request gets; by default one to the same method and URL, each once, in order.
    ///   - redaction: What is left out of the file.
    ///   - requiresAllUsed: Whether replaying fails at its end when there are entries that no request asked for.
    ///   - maximumBodySize: How many bytes of each body are recorded, decoded; 16 MiB by default, and less than zero counts
    ///     as zero. A longer answer cannot be replayed as a whole.
    ///   - now: Who tells the time of day, for the dates in the file.
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
    /// A recording is written when the closure has returned, unless it sent nothing. It is not written when the closure
    /// throws, or its task is cancelled: half a recording would be replayed as if it were whole. The file is then as it was.
    ///
    /// - Throws: What the closure throws. Before it is called, `ErrandError` with `notRecorded` for a missing file, with
    ///   `fileAccessFailed` for a file that cannot be read, and with `invalidCassette` for a file that is not in the HAR format.
    ///   Afterwards with `fileAccessFailed` when the recording cannot be written, and with `entriesUnused`.
    public func run<Result>(_ body: () async throws -> Result) async throws -> Result {
        try await withRun { _ in try await body() }
    }

    /// The same as ``run(_:)``, for a closure that has to know the run.
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

    /// Begins a run by hand, for requests that list it among their interceptors; ends with ``Run/finish()``.
    ///
    /// - Throws: As ``run(_:)`` does before it calls its closure.
    public func start() throws(ErrandError) -> Run {
        let exists = FileManager.default.fileExists(atPath: file.path)
        let records =
            switch mode {
            case .environment: RecordingOrder(environment(RecordingOrder.variable)).includes(file, exists: exists)
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
        let value = RecordingOrder.value(for: file)
        return "To record it, run the test once with \(RecordingOrder.variable)=\"\(value)\" in the environment"
    }
}
