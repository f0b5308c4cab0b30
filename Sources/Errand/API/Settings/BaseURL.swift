/// The base URL of a service or an endpoint: a literal with or without a scheme, a text, or a `URL`.
///
/// ```swift
/// APIService(baseURL: "staging.example.com/v1")                        // https
/// APIService(baseURL: BaseURL("localhost:8080", isSecure: false))      // http
/// APIService(baseURL: BaseURL(url))
/// ```
///
/// A text that is not a URL fails the request with ``ErrandError/Code-swift.struct/invalidURL``.
public struct BaseURL: Hashable, Sendable, ExpressibleByStringInterpolation {
    /// The URL; `nil` if the text is not a valid URL.
    public let url: URL?

    /// Creates a base URL from a URL.
    public init(_ url: URL) {
        self.url = url
    }

    /// Creates a base URL from a text.
    ///
    /// - Parameters:
    ///   - text: A URL, with or without a scheme.
    ///   - isSecure: Whether a text without a scheme gets `https`, or `http` if `false`.
    public init(_ text: String, isSecure: Bool = true) {
        url = URL(string: text.hasURLScheme ? text : (isSecure ? "https://" : "http://") + text)
    }

    /// Creates a base URL from a literal, with `https` unless it has a scheme.
    public init(stringLiteral text: String) {
        self.init(text)
    }
}

extension BaseURL: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
    /// The URL without user information and query values.
    public var description: String { url?.redacted.absoluteString ?? "an invalid URL" }
    /// The same as ``description``.
    public var debugDescription: String { description }
    /// The description alone, so that `dump` shows no secret either.
    public var customMirror: Mirror { Mirror(self, children: ["description": description]) }
}

extension String {
    /// Whether this text starts with a scheme and `://` (RFC 3986, section 3.1).
    fileprivate var hasURLScheme: Bool {
        guard let end = utf8.firstIndex(of: UInt8(ascii: ":")), utf8[end...].starts(with: "://".utf8),
            let first = utf8.first, first.isASCIILetter
        else { return false }
        return utf8[..<end].allSatisfy { $0.isASCIILetter || 0x30...0x39 ~= $0 || "+-.".utf8.contains($0) }
    }
}

extension UInt8 {
    fileprivate var isASCIILetter: Bool { 0x41...0x5A ~= self || 0x61...0x7A ~= self }
}
