/// A request method (RFC 9110, section 9): one of the registered names, or any other token.
///
/// Methods are case-sensitive and sent as written, but for some registered names, `get` among them, which Foundation
/// capitalizes. One that is not a token is refused when the request is built,
/// with ``ErrandError/Code-swift.struct/invalidMethod``, and nothing is sent.
///
/// ```swift
/// method = .patch
/// method = "PURGE"
/// ```
public struct RequestMethod: RawRepresentable, Hashable, Sendable, ExpressibleByStringLiteral, CustomStringConvertible {
    /// The name as it goes into the request line.
    public let rawValue: String

    /// Any method by its name, unchecked until the request is built.
    public init(rawValue: String) {
        self.rawValue = rawValue
    }

    /// A method written as a literal.
    public init(stringLiteral value: String) {
        self.init(rawValue: value)
    }

    /// The same as ``rawValue``.
    public var description: String { rawValue }

    /// Fetch a representation.
    public static let get = RequestMethod(rawValue: "GET")
    /// What GET would answer, without the body.
    public static let head = RequestMethod(rawValue: "HEAD")
    /// Hand over a representation to be processed.
    public static let post = RequestMethod(rawValue: "POST")
    /// Create or replace the resource.
    public static let put = RequestMethod(rawValue: "PUT")
    /// Change part of the resource (RFC 5789).
    public static let patch = RequestMethod(rawValue: "PATCH")
    /// Remove the resource.
    public static let delete = RequestMethod(rawValue: "DELETE")
    /// Ask what the resource can do.
    public static let options = RequestMethod(rawValue: "OPTIONS")

    /// The idempotent methods (RFC 9110, section 9.2.2).
    static let idempotent: Set<RequestMethod> = [.get, .head, .options, .put, .delete, "TRACE"]
}
