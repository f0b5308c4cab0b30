// A toolchain without Swift Testing compiles an empty module.
#if canImport(Testing)
public import ErrandTesting
public import Foundation
public import Testing

/// A trait that stubs the requests of a test, with new stubs for each test; see ``Testing/Trait/stubs(baseURL:_:)``.
public struct StubsTrait: TestTrait, SuiteTrait, TestScoping {
    /// Always `true`: each test of a suite has its own stubs.
    public let isRecursive = true
    private let baseURL: URL?
    private let setUp: @Sendable (RouteStubs) throws -> Void

    init(baseURL: URL?, setUp: @escaping @Sendable (RouteStubs) throws -> Void) {
        self.baseURL = baseURL
        self.setUp = setUp
    }

    /// Runs a test with its stubs, and records the problems of the stubs as issues.
    public func provideScope(
        for test: Test, testCase: Test.Case?, performing function: @Sendable @concurrent () async throws -> Void
    ) async throws {
        // A test's stubs are added to those of its suite.
        if baseURL == nil, let outer = RouteStubs.current {
            try setUp(outer)
            return try await function()
        }
        let stubs = RouteStubs(baseURL: baseURL)
        try setUp(stubs)
        do {
            try await stubs.scope { try await function() }
        } catch {
            // Unused stubs may be a consequence of the failure, so they are not reported.
            record(stubs.problems.filter { $0.kind == .unexpectedRequest }, test)
            throw error
        }
        record(stubs.problems, test)
    }

    private func record(_ problems: [StubFailure.Problem], _ test: Test) {
        for problem in problems {
            let place = problem.place.map {
                SourceLocation(fileID: $0.fileID, filePath: $0.filePath, line: $0.line, column: $0.column)
            }
            Issue.record("\(problem)", sourceLocation: place ?? test.sourceLocation)
        }
    }
}

extension Trait where Self == StubsTrait {
    /// Stubs every request that the test starts, so that nothing is sent.
    ///
    /// ```swift
    /// @Test(.stubs { $0.on(.get, "/books", .json(books)) })
    /// func `books are listed`() async throws {
    ///     #expect(try await BooksRequest(author: "Le Guin").start().value.count == 2)
    /// }
    /// ```
    ///
    /// The test fails for requests that no stub can respond to. It also fails for stubs that were not used as often as
    /// they must be, with an issue at the line that created the stub. On a suite, each test has new stubs. A test can
    /// add stubs by another `.stubs`, or with `RouteStubs.current`. Without a base URL, they are added to the stubs of
    /// the suite.
    ///
    /// - Parameters:
    ///   - baseURL: As for `RouteStubs`.
    ///   - setUp: Called before each case of the test. If it throws, the test fails.
    public static func stubs(
        baseURL: URL? = nil, _ setUp: @escaping @Sendable (RouteStubs) throws -> Void = { _ in }
    ) -> Self {
        StubsTrait(baseURL: baseURL, setUp: setUp)
    }
}
#endif
