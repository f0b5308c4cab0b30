// A toolchain without Swift Testing compiles an empty module.
#if canImport(Testing)
import Errand
public import ErrandTesting
public import Testing

extension Trait where Self == CassetteTrait {
    /// Replays the requests of a test from a file, or records them in it.
    ///
    /// ```swift
    /// @Test(.cassette("users")) func `lists the users`() async throws {
    ///     let users = try await UsersRequest().start().value
    ///     #expect(users.count == 10)
    /// }
    /// ```
    ///
    /// The file is `Cassettes/users.har` next to the source file of the test. To record it, run the test once with
    /// `ERRAND_RECORD=users` in the environment. If the test fails, the file stays unchanged. Two tests that record
    /// must use different names.
    ///
    /// - Parameters:
    ///   - name: The name of the file, without its extension.
    ///   - mode: Whether the file is replayed or recorded; by default it is replayed unless `ERRAND_RECORD` selects it.
    ///   - matching: The rule for choosing the entry for a request; by default the same method and URL, each entry
    ///     once, in order.
    ///   - redaction: The rules for removing secrets from the file.
    ///   - requiresAllUsed: Whether the test fails if there are entries that were not used; `false` by default.
    ///   - filePath: The source file that the folder is next to.
    public static func cassette(
        _ name: String, mode: Cassette.Mode = .environment, matching: Cassette.Matching = Cassette.Matching(),
        redacting redaction: Cassette.Redaction = Cassette.Redaction(), requiresAllUsed: Bool = false,
        filePath: String = #filePath
    ) -> CassetteTrait {
        let file = CassetteScope.folder(beside: filePath).appendingPathComponent("\(name).har")
        let cassette = Cassette(
            at: file, mode: mode, matching: matching, redacting: redaction, requiresAllUsed: requiresAllUsed)
        return CassetteTrait(scope: CassetteScope { _ in cassette })
    }
}

extension Trait where Self == CassettesTrait {
    /// Replays the requests of each test of a suite from files, or records them in these files.
    ///
    /// ```swift
    /// @Suite(.cassettes("users")) struct `The users` {
    ///     @Test func `are many`() async throws { … }      // Cassettes/users/are many.har
    /// }
    /// ```
    ///
    /// Each test has its own file, named after it, in `Cassettes/users/` next to the source file of the suite. To
    /// record all of them, run the suite once with `ERRAND_RECORD=users/` in the environment.
    ///
    /// - Parameters:
    ///   - name: The name of the folder.
    ///   - mode: Whether the files are replayed or recorded; by default they are replayed unless `ERRAND_RECORD`
    ///     selects them.
    ///   - matching: The rule for choosing the entry for a request; by default the same method and URL, each entry
    ///     once, in order.
    ///   - redaction: The rules for removing secrets from the files.
    ///   - requiresAllUsed: Whether a test fails if there are entries that were not used; `false` by default.
    ///   - filePath: The source file that the folder is next to.
    public static func cassettes(
        _ name: String, mode: Cassette.Mode = .environment, matching: Cassette.Matching = Cassette.Matching(),
        redacting redaction: Cassette.Redaction = Cassette.Redaction(), requiresAllUsed: Bool = false,
        filePath: String = #filePath
    ) -> CassettesTrait {
        let folder = CassetteScope.folder(beside: filePath).appendingPathComponent(name)
        return CassettesTrait(
            scope: CassetteScope { test in
                Cassette(
                    at: folder.appendingPathComponent("\(test.fileName).har"), mode: mode, matching: matching,
                    redacting: redaction, requiresAllUsed: requiresAllUsed)
            })
    }
}
#endif
