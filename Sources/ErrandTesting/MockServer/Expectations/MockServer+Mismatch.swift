public import Errand

extension MockServer {
    /// What was expected of the requests to a ``MockServer`` and is not so.
    ///
    /// Its description is what a reader wants to see: what was expected behind `-`, what came behind `+`. It shows of
    /// credentials (`Authorization`, `Cookie`, and fields and query items whose names end in `token`, `key`, `secret` or
    /// `password`) only that they are there, since it ends up in logs.
    public struct Mismatch: Error, Sendable {
        /// The request that is different; nil when none came, or too many.
        public let request: MockRequest?
        /// What is different.
        public let description: String

        init(_ description: String, request: MockRequest? = nil) {
            self.description = description
            self.request = request
        }
    }
}

extension MockServer.Mismatch: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable, LocalizedError
{
    /// The same as ``description``.
    public var debugDescription: String { description }
    /// The same as ``description``, for XCTest on Apple platforms.
    public var errorDescription: String? { description }
    /// The description alone, so that `dump` shows no more either.
    public var customMirror: Mirror { Mirror(self, children: ["description": description]) }
}
