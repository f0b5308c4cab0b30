// A toolchain without Swift Testing compiles an empty module.
#if canImport(Testing)
import Errand
import ErrandTesting
import Testing

/// The common implementation of both traits.
struct CassetteScope: Sendable {
    /// The run of the current test. Its test cases use it to report that they failed.
    @TaskLocal private static var current: Cassette.Run?

    /// The cassette of a test.
    let cassette: @Sendable (Test) -> Cassette

    /// Returns `false` for a suite, which itself sends no requests.
    func isNeeded(for test: Test) -> Bool { !test.isSuite }

    func provide(
        for test: Test, testCase: Test.Case?, _ function: @concurrent @Sendable () async throws -> Void
    ) async throws {
        if let testCase { return try await provideCase(testCase, of: test, function) }
        try await cassette(test).withRun { run in
            try await Self.$current.withValue(run) { try await function() }
        }
    }

    /// Runs a test case, and discards the recording if the case fails: by an error, which is not passed on to the test,
    /// or by an issue, such as an expectation that is not met.
    private func provideCase(
        _ testCase: Test.Case, of test: Test, _ function: @concurrent @Sendable () async throws -> Void
    ) async throws {
        let run = Self.current
        let watching: IssueHandlingTrait = .compactMapIssues { issue in
            run?.discard()
            return issue
        }
        do {
            if run?.isRecording == true {
                try await watching.provideScope(for: test, testCase: testCase) { try await function() }
            } else {
                try await function()
            }
        } catch {
            run?.discard()
            throw error
        }
    }

    /// Returns the folder for cassettes next to a source file.
    static func folder(beside source: String) -> URL {
        URL(fileURLWithPath: source).deletingLastPathComponent().appendingPathComponent("Cassettes")
    }
}

extension Test {
    /// The name of the test after the names of the suites that contain it, except the outermost, as a valid file name.
    var fileName: String {
        // The ID has the form Module.`A suite`/`a test`()/Tests.swift:5:6. Its last part distinguishes tests with the
        // same name.
        let id = String(describing: id)
        let chain = id.firstMatch(of: #/^[^.]+\.(.+)\/[^\/]+\.swift:\d+:\d+$/#).map { String($0.1) } ?? name
        let names = chain.split(separator: "/").map(Self.plain)
        return names.dropFirst(names.count > 1 ? 1 : 0).joined(separator: " - ")
    }

    /// Keeps letters, digits, spaces and other characters that all file systems allow.
    private static func plain(_ name: Substring) -> String {
        let bare = name.contains("`") ? name.split(separator: "`").first ?? name : name.prefix { $0 != "(" }
        return String(bare.map { $0.isLetter || $0.isNumber || " -_,.".contains($0) ? $0 : "_" })
    }
}
#endif
