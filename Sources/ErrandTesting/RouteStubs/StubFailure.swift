/// What a test did not see to: requests that no stub of its ``RouteStubs`` was for, and stubs that were asked too little.
public struct StubFailure: Error {
    /// One thing that is wrong.
    public struct Problem: Hashable, Sendable, CustomStringConvertible {
        /// What kind of a thing.
        public enum Kind: Hashable, Sendable {
            /// A request came that no stub is for.
            case unexpectedRequest
            /// A stub was asked less often than it says.
            case unusedStub
        }

        /// What kind of a thing.
        public let kind: Kind
        /// What is wrong, in one line, with no query value, field value or body in it.
        public let message: String
        /// Where the stub was made, where it is about one.
        package let place: StubPlace?

        /// The same as ``message``.
        public var description: String { message }
    }

    /// All that is wrong: requests in the order in which they came, then stubs in the order in which they were made.
    public let problems: [Problem]
    /// What the test had failed with by then; nil when it had not failed.
    public let underlyingError: (any Error)?
}

extension StubFailure: CustomStringConvertible {
    /// A line for each problem.
    public var description: String {
        let lines = problems.map(\.message) + (underlyingError.map { ["and the test failed with \($0)"] } ?? [])
        return lines.joined(separator: "\n")
    }
}
