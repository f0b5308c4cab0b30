#if canImport(Testing)
import Errand
public import ErrandTesting
public import Testing

extension Trait where Self == CassetteTrait {
    /// Replays the requests of a test from a file, or records them there.
    ///
    /// ```swift
    /// @Test(.cassette("users")) func `lists the users`() async throws {
    ///     let users = try await UsersRequest().start().value
    ///     #expect(users.count == 10)
    /// }
    /// ```
    ///
    /// The file is `Cassettes/users.har` beside the source of the test. To record it, run the test once with
    /// `ERRAND_RECORD=users` in the environment. A test that fails leaves the file as it was. Two tests that record need two
    /// names.
    ///
    /// - Parameters:
    ///   - name: The name of the file, without its extension.
    ///   - mode: Whether the file is replayed or recorded; by default it is replayed unless `ERRAND_RECORD` names it.
    ///   - matching: Which answer a request gets; by default one to the same method and URL, each once, in order.
    ///   - redaction: What is left out of the file.
    ///   - requiresAllUsed: Whether the test fails when there are entries that no request asked for.
    ///   - filePath: The source that the folder is beside.
    public static func cassette(
        _ name: String, mode: Cassette.Mode = .environment, matching: Cassette.Matching = Cassette.Matching(),
        redacting redaction: Cassette.Redaction = Cassette.Redaction(), requiresAllUsed: Bool = false,
        filePath: String = #filePath
    ) -> CassetteTrait {
        let file = CassetteScope.folder(besides: filePath).appendingPathComponent("\(name).har")
        let cassette = Cassette(
            at: file, mode: mode, matching: matching, redacting: redaction, requiresAllUsed: requiresAllUsed)
        return CassetteTrait(scope: CassetteScope { _ in cassette })
    }
}

extension Trait where Self == CassettesTrait {
    /// Replays the requests of each test of a suite from files, or records them there.
    ///
    /// ```swift
    /// @Suite(.cassettes("users")) struct `The users` {
    ///     @Test func `are many`() async throws { … }      // Cassettes/users/are many.har
    /// }
    /// ```
    ///
    /// Each test has a file of its own, named after it, in `Cassettes/users/` beside the source of the suite. To record them all,
    /// run the suite once with `ERRAND_RECORD=users/` in the environment.
    ///
    /// - Parameters:
    ///   - name: The name of the folder.
    ///   - mode: Whether the files are replayed or recorded; by default those are recorded that `ERRAND_RECORD` names.
    ///   - matching: Which answer a request gets; by default one to the same method and URL, each once, in order.
    ///   - redaction: What is left out of the files.
    ///   - requiresAllUsed: Whether a test fails when there are entries that no request asked for.
    ///   - filePath: The source that the folder is beside.
    public static func cassettes(
        _ name: String, mode: Cassette.Mode = .environment, matching: Cassette.Matching = Cassette.Matching(),
        redacting redaction: Cassette.Redaction = Cassette.Redaction(), requiresAllUsed: Bool = false,
        filePath: String = #filePath
    ) -> CassettesTrait {
        let folder = CassetteScope.folder(besides: filePath).appendingPathComponent(name)
        return CassettesTrait(
            scope: CassetteScope { test in
                Cassette(
                    at: folder.appendingPathComponent("\(test.fileName).har"), mode: mode, matching: matching,
                    redacting: redaction, requiresAllUsed: requiresAllUsed)
            })
    }
}
#endif
