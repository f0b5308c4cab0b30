/// A part of a multipart body that was received (RFC 2046, section 5.1).
///
/// ```swift
/// for part in try response.decodeParts() {
///     print(part.headers.contentType, part.headers.contentRange, part.data.count)
/// }
/// ```
public struct BodyPart: Sendable {
    /// The header fields of the part. A part without a `Content-Type` is `text/plain` in US-ASCII, by RFC 2046.
    public let headers: HeaderFields
    /// The bytes of the part, as they were sent: a `Content-Transfer-Encoding`, which HTTP does not use, is not decoded.
    public let data: Data

    /// A part, for tests of what reads parts.
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
    /// The names of the header fields and the number of bytes; never what is in them.
    public var description: String { "BodyPart(\(headers), \(data.count) bytes)" }
    /// The same as ``description``.
    public var debugDescription: String { description }
    /// The description alone, so that `dump` shows no secret either.
    public var customMirror: Mirror { Mirror(self, children: ["description": description]) }
}
