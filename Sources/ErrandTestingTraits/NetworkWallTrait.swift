// A toolchain without Swift Testing compiles an empty module.
#if canImport(Testing)
import ErrandTesting
public import Testing

/// A trait that switches the network wall on while a test runs; see ``Testing/Trait/networkWall``.
public struct NetworkWallTrait: TestTrait, SuiteTrait, TestScoping {
    /// Runs a test with the wall.
    public func provideScope(
        for test: Test, testCase: Test.Case?, performing function: @Sendable @concurrent () async throws -> Void
    ) async throws {
        try await NetworkWall.run { try await function() }
    }
}

extension Trait where Self == NetworkWallTrait {
    /// Makes requests to other machines fail with `notStubbed` while the test or the suite runs, unless they have a
    /// stub, or belong to stubs by route or a cassette.
    ///
    /// ```swift
    /// @Suite(.networkWall) struct BookTests { … }
    /// ```
    ///
    /// It includes requests of detached tasks, and those of other tests that run at the same time; see `NetworkWall`.
    public static var networkWall: Self { NetworkWallTrait() }
}
#endif
