/// A part of a received multipart body (RFC 2046, section 5.1).
///
/// ```swift
/// for part in try response.decodeParts() {
///     print(part.headers.contentType, part.headers.contentRange, part.data.count)
/// }
/// ```
public struct BodyPart: Sendable {
    /// The header fields of the part. A part without a `Content-Type` is `text/plain` in US-ASCII (RFC 2046, section
    /// 5.1).
    public let headers: HeaderFields
    /// The bytes of the part, as they were sent. A `Content-Transfer-Encoding`, which HTTP does not use, is not
    /// decoded.
    public let data: Data

    /// Creates a part, for tests of code that reads parts.
    ///
    /// - Parameters:
    ///   - headers: The header fields.
    ///   - data: The bytes.
    public init(headers: HeaderFields = [:], data: Data) {
        self.headers = headers
        self.data = data
    }
}

extension BodyPart: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
    /// The names of the header fields and the number of bytes, but never their content.
    public var description: String { "BodyPart(\(headers), \(data.count) bytes)" }
    /// The same as ``description``.
    public var debugDescription: String { description }
    /// Shows only the description, so that `dump` prints no secret either.
    public var customMirror: Mirror { Mirror(self, children: ["description": description]) }
}
