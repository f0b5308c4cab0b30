#if canImport(Testing)
import Errand
import ErrandTesting
import Testing

/// What both traits do.
struct CassetteScope: Sendable {
    /// The run of the test that is running: its cases are to be able to tell it that they failed.
    @TaskLocal private static var current: Cassette.Run?

    /// The cassette of a test.
    let cassette: @Sendable (Test) -> Cassette

    /// Not for a suite, which has no requests of its own.
    func isNeeded(for test: Test) -> Bool { !test.isSuite }

    func provide(
        for test: Test, testCase: Test.Case?, _ function: @concurrent @Sendable () async throws -> Void
    ) async throws {
        if let testCase { return try await provideCase(testCase, of: test, function) }
        try await cassette(test).withRun { run in
            try await Self.$current.withValue(run) { try await function() }
        }
    }

    /// Discards the recording when a case fails: by an error, which does not get as far as the test, or by an issue, such as an
    /// expectation that is not met.
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

    /// The folder of cassettes beside a source file.
    static func folder(besides source: String) -> URL {
        URL(fileURLWithPath: source).deletingLastPathComponent().appendingPathComponent("Cassettes")
    }
}

extension Test {
    /// The name of the test behind those of the suites that its own suite is in, fit to be the name of a file.
    var fileName: String {
        // Module.`A suite`/`a test`()/Tests.swift:5:6, which has what tells tests of one name apart.
        let id = String(describing: id)
        let chain = id.firstMatch(of: #/^[^.]+\.(.+)\/[^\/]+\.swift:\d+:\d+$/#).map { String($0.1) } ?? name
        let names = chain.split(separator: "/").map(Self.plain)
        return names.dropFirst(names.count > 1 ? 1 : 0).joined(separator: " - ")
    }

    /// Letters, digits, spaces and what else any file system takes.
    private static func plain(_ name: Substring) -> String {
        let bare = name.contains("`") ? name.split(separator: "`").first ?? name : name.prefix { $0 != "(" }
        return String(bare.map { $0.isLetter || $0.isNumber || " -_,.".contains($0) ? $0 : "_" })
    }
}
#endif
