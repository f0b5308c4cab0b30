/// The problems of a test with ``RouteStubs``: requests that no stub can respond to, and stubs that were not used often
/// enough.
public struct StubFailure: Error {
    /// A problem.
    public struct Problem: Hashable, Sendable, CustomStringConvertible {
        /// The kind of problem.
        public enum Kind: Hashable, Sendable {
            /// A request came that no stub can respond to: none matches, the matching ones are used up, the request
            /// does not fit the document of the stub, or the response needs a `MockServer`.
            case unexpectedRequest
            /// A stub was used less often than its `times` require.
            case unusedStub
        }

        /// The kind of problem.
        public let kind: Kind
        /// The problem in one line, without values of query items and header fields, and without bodies.
        public let message: String
        /// The place where the stub was created, for a problem of a stub.
        package let place: StubPlace?

        /// The same as ``message``.
        public var description: String { message }
    }

    /// The problems: first requests in order of arrival, then stubs in the order of their creation.
    public let problems: [Problem]
    /// The error with which the test had already failed; `nil` if it had not failed.
    public let underlyingError: (any Error)?
}

extension StubFailure: CustomStringConvertible {
    /// A line for each problem.
    public var description: String {
        let lines = problems.map(\.message) + (underlyingError.map { ["and the test failed with \($0)"] } ?? [])
        return lines.joined(separator: "\n")
    }
}
