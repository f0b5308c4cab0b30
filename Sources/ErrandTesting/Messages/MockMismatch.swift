public import Errand

/// A difference between the requests to a `MockServer` or to ``RouteStubs`` and the expected ones.
///
/// The description lists expected lines after `-` and actual ones after `+`. Because it ends up in logs, it hides the
/// values of credentials, and shows only that they are present: those of header fields and query items whose names logs
/// hide by default, such as `Authorization`, `Cookie` and `api_key`.
public struct MockMismatch: Error, Sendable {
    /// The request that differs; `nil` if there were none or too many.
    public let request: MockRequest?
    /// The difference.
    public let description: String

    package init(_ description: String, request: MockRequest? = nil) {
        self.description = description
        self.request = request
    }
}

extension MockMismatch: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable, LocalizedError {
    /// The same as ``description``.
    public var debugDescription: String { description }
    /// The same as ``description``, for XCTest on Apple platforms.
    public var errorDescription: String? { description }
    /// The description alone, so that `dump` shows nothing else.
    public var customMirror: Mirror { Mirror(self, children: ["description": description]) }
}
