#if canImport(Testing)
import Errand
import ErrandTesting
public import Testing

/// Replays the requests of a test from a cassette, or records them; made by `.cassette(_:)`.
///
/// The cassette is there for all of the test: one run for all cases of a test that has arguments. What goes wrong with it
/// fails the test: a request that is not in it when it is sent, anything else when the test begins or has ended.
public struct CassetteTrait: TestTrait, TestScoping {
    let scope: CassetteScope

    /// This trait: it has to do with the whole test, and with each of its cases.
    public func scopeProvider(for test: Test, testCase: Test.Case?) -> CassetteTrait? {
        scope.isNeeded(for: test) ? self : nil
    }

    /// Runs a test with a cassette in front of the network.
    ///
    /// - Throws: What the test throws; as `Cassette.run(_:)` does.
    public func provideScope(
        for test: Test, testCase: Test.Case?, performing function: @concurrent @Sendable () async throws -> Void
    ) async throws {
        try await scope.provide(for: test, testCase: testCase, function)
    }
}

/// Replays the requests of each test of a suite from cassettes, or records them; made by `.cassettes(_:)`.
public struct CassettesTrait: TestTrait, SuiteTrait, TestScoping {
    let scope: CassetteScope

    /// Always: the tests of a suite have the trait, also those of suites in it. The suite itself sends nothing.
    public var isRecursive: Bool { true }

    /// This trait: it has to do with each test, and with each of its cases.
    public func scopeProvider(for test: Test, testCase: Test.Case?) -> CassettesTrait? {
        scope.isNeeded(for: test) ? self : nil
    }

    /// Runs a test with a cassette of its own in front of the network.
    ///
    /// - Throws: What the test throws; as `Cassette.run(_:)` does.
    public func provideScope(
        for test: Test, testCase: Test.Case?, performing function: @concurrent @Sendable () async throws -> Void
    ) async throws {
        try await scope.provide(for: test, testCase: testCase, function)
    }
}
#endif
