/// A request method (RFC 9110, section 9): a registered name or any other token.
///
/// Methods are case-sensitive and sent as written, except that Foundation capitalizes some registered names, such as
/// `get`. If a method is not a token, building the request fails with ``ErrandError/Code-swift.struct/invalidMethod``,
/// and nothing is sent.
///
/// ```swift
/// method = .patch
/// method = "PURGE"
/// ```
public struct RequestMethod: RawRepresentable, Hashable, Sendable, ExpressibleByStringLiteral, CustomStringConvertible {
    /// The name in the request line.
    public let rawValue: String

    /// Creates a method, which is not checked before the request is built.
    public init(rawValue: String) {
        self.rawValue = rawValue
    }

    /// Creates a method from a literal.
    public init(stringLiteral value: String) {
        self.init(rawValue: value)
    }

    /// Returns ``rawValue``.
    public var description: String { rawValue }

    /// Fetches a representation.
    public static let get = RequestMethod(rawValue: "GET")
    /// Returns the response to GET without the body.
    public static let head = RequestMethod(rawValue: "HEAD")
    /// Sends a representation to be processed.
    public static let post = RequestMethod(rawValue: "POST")
    /// Creates or replaces the resource.
    public static let put = RequestMethod(rawValue: "PUT")
    /// Changes part of the resource (RFC 5789).
    public static let patch = RequestMethod(rawValue: "PATCH")
    /// Removes the resource.
    public static let delete = RequestMethod(rawValue: "DELETE")
    /// Returns the communication options of the resource.
    public static let options = RequestMethod(rawValue: "OPTIONS")

    /// The idempotent methods (RFC 9110, section 9.2.2).
    package static let idempotent: Set<RequestMethod> = [.get, .head, .options, .put, .delete, "TRACE"]
}
