// A toolchain without Swift Testing compiles an empty module.
#if canImport(Testing)
import Errand
import ErrandTesting
public import Testing

/// A trait that replays the requests of a test from a cassette, or records them; created by `.cassette(_:)`.
///
/// The cassette applies to the whole test. All cases of a test with arguments share one run. Problems fail the test: a
/// missing request when it is sent, and other problems when the test begins or ends.
public struct CassetteTrait: TestTrait, TestScoping {
    let scope: CassetteScope

    /// Returns this trait: it applies to the whole test and to each of its cases.
    public func scopeProvider(for test: Test, testCase: Test.Case?) -> CassetteTrait? {
        scope.isNeeded(for: test) ? self : nil
    }

    /// Runs a test with a cassette in place of the network.
    ///
    /// - Throws: The errors of the test and of `Cassette.run(_:)`.
    public func provideScope(
        for test: Test, testCase: Test.Case?, performing function: @concurrent @Sendable () async throws -> Void
    ) async throws {
        try await scope.provide(for: test, testCase: testCase, function)
    }
}

/// A trait that replays the requests of each test of a suite from cassettes, or records them; created by
/// `.cassettes(_:)`.
public struct CassettesTrait: TestTrait, SuiteTrait, TestScoping {
    let scope: CassetteScope

    /// Always `true`: all tests of the suite have the trait, including those of nested suites. The suite itself sends
    /// nothing.
    public var isRecursive: Bool { true }

    /// Returns this trait: it applies to each test and to each of its cases.
    public func scopeProvider(for test: Test, testCase: Test.Case?) -> CassettesTrait? {
        scope.isNeeded(for: test) ? self : nil
    }

    /// Runs a test with its own cassette in place of the network.
    ///
    /// - Throws: The errors of the test and of `Cassette.run(_:)`.
    public func provideScope(
        for test: Test, testCase: Test.Case?, performing function: @concurrent @Sendable () async throws -> Void
    ) async throws {
        try await scope.provide(for: test, testCase: testCase, function)
    }
}
#endif
