public import Errand

/// Requests and their answers in a HAR file: recorded over the network once, and replayed from then on without it.
///
/// ```swift
/// let cassette = Cassette(at: folder.appendingPathComponent("users.har"))
/// let users = try await cassette.run { try await UsersRequest().start().value }
/// ```
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
    /// Whether the network is asked.
    public enum Mode: Hashable, Sendable {
        /// Never: every request is answered from the file, which has to be there.
        case replay
        /// Always: the file is written anew.
        case record
        /// When there is no file: it is recorded then, and replayed from then on.
        ///
        /// Where the environment has a `CI` that is not empty, `0` or `false`, nothing is recorded: a missing file fails with
        /// `notRecorded`.
        case once
    }

    /// The file.
    public let file: URL
    /// Whether the network is asked.
    public let mode: Mode
    /// Which answer a request gets.
    public let matching: Matching
    /// What is left out of the file.
    public let redaction: Redaction
    /// Whether replaying fails at its end when there are entries that no request asked for.
    public let requiresAllUsed: Bool
    /// How many bytes of each body are recorded.
    public let maximumBodySize: Int
    /// Of the environment no more is kept: it may have secrets.
    private let isUnderCI: Bool
    let now: @Sendable () -> Date

    /// The most bytes of a body that are recorded, unless a cassette says otherwise: 16 MiB.
    public static let defaultMaximumBodySize = 16 << 20

    /// A cassette in a file. Nothing is read or written yet.
    ///
    /// - Parameters:
    ///   - file: The HAR file. Its folder is made when it is written.
    ///   - mode: Whether the network is asked; records once by default.
    ///   - matching: Which answer a request gets; by default one to the same method and URL, each once, in order.
    ///   - redaction: What is left out of the file.
    ///   - requiresAllUsed: Whether replaying fails at its end when there are entries that no request asked for.
    ///   - maximumBodySize: How many bytes of each body are recorded, decoded; 16 MiB by default, and less than zero counts
    ///     as zero. A longer answer cannot be replayed as a whole.
    ///   - environment: Where `CI` is looked for.
    ///   - now: Who tells the time of day, for the dates in the file.
    public init(
        at file: URL, mode: Mode = .once, matching: Matching = Matching(), redacting redaction: Redaction = Redaction(),
        requiresAllUsed: Bool = false, maximumBodySize: Int = Cassette.defaultMaximumBodySize,
        environment: [String: String] = ProcessInfo.processInfo.environment,
        now: @escaping @Sendable () -> Date = { Date() }
    ) {
        self.file = file
        self.mode = mode
        self.matching = matching
        self.redaction = redaction
        self.requiresAllUsed = requiresAllUsed
        self.maximumBodySize = max(0, maximumBodySize)
        isUnderCI = Self.saysCI(environment)
        self.now = now
    }

    /// Runs a closure whose requests are recorded or replayed.
    ///
    /// A recording is written when the closure has returned, unless it sent nothing. It is not written when the closure
    /// throws, or its task is cancelled: half a recording would be replayed as if it were whole. The file is then as it was.
    ///
    /// - Throws: What the closure throws. Before it is called, `ErrandError` with `notRecorded` where there is no file and none
    ///   may be recorded, with `fileAccessFailed` for one that cannot be read, and with `invalidCassette` for one that is no
    ///   HAR. Afterwards with `fileAccessFailed` when the recording cannot be written, and with `entriesUnused`.
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
        try recordsNow ? Run(recording: self) : Run(replaying: self, HAR(contentsOf: file))
    }

    private var recordsNow: Bool {
        get throws(ErrandError) {
            if mode == .record { return true }
            if FileManager.default.fileExists(atPath: file.path) { return false }
            guard mode == .once else {
                throw ErrandError(.notRecorded, reason: "there is no cassette at \(file.path)")
            }
            guard !isUnderCI else {
                throw ErrandError(
                    .notRecorded,
                    reason: "there is no cassette at \(file.path), and none is recorded where CI is set; "
                        + "to record it, run this once where CI is not set")
            }
            return true
        }
    }

    private static func saysCI(_ environment: [String: String]) -> Bool {
        let value = (environment["CI"] ?? "").trimmingCharacters(in: .whitespaces).lowercased()
        return !["", "0", "false"].contains(value)
    }
}
