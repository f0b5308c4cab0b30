#if canImport(Testing)
public import ErrandTesting
public import Foundation
public import Testing

/// Stubs for the requests of a test of Swift Testing, made anew for each; see ``Testing/Trait/stubs(baseURL:_:)``.
public struct StubsTrait: TestTrait, SuiteTrait, TestScoping {
    /// Of a suite, each test has stubs of its own.
    public let isRecursive = true
    private let baseURL: URL?
    private let setUp: @Sendable (RouteStubs) throws -> Void

    init(baseURL: URL?, setUp: @escaping @Sendable (RouteStubs) throws -> Void) {
        self.baseURL = baseURL
        self.setUp = setUp
    }

    /// Runs a test behind its stubs, and records what was not asked as it should be.
    public func provideScope(
        for test: Test, testCase: Test.Case?, performing function: @Sendable @concurrent () async throws -> Void
    ) async throws {
        // A test's own stubs come on top of its suite's.
        if baseURL == nil, let outer = RouteStubs.current {
            try setUp(outer)
            return try await function()
        }
        let stubs = RouteStubs(baseURL: baseURL)
        try setUp(stubs)
        do {
            try await stubs.scope { try await function() }
        } catch {
            // What was not asked may be so because the test has failed.
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
    /// Stubs for every request that the test starts: nothing is sent.
    ///
    /// ```swift
    /// @Test(.stubs { $0.on(.get, "/books", .json(books)) })
    /// func `books are listed`() async throws {
    ///     #expect(try await BooksRequest(author: "Le Guin").start().value.count == 2)
    /// }
    /// ```
    ///
    /// The test fails for requests that no stub is for, and for stubs that were not asked as often as they say, at the place
    /// where these were made. On a suite, each of its tests has the stubs anew, and may add its own by another `.stubs`, or
    /// by `RouteStubs.current`; those of them without a base URL share the suite's.
    ///
    /// - Parameters:
    ///   - baseURL: As for `RouteStubs`.
    ///   - setUp: Called before the test, for each case of it; what it throws fails the test.
    public static func stubs(
        baseURL: URL? = nil, _ setUp: @escaping @Sendable (RouteStubs) throws -> Void = { _ in }
    ) -> Self {
        StubsTrait(baseURL: baseURL, setUp: setUp)
    }
}
#endif
