extension ResponseStream {
    /// Returns the parts of a multipart body, each as soon as it is complete.
    ///
    /// The body may be `multipart/mixed`, `multipart/related`, `multipart/byteranges` (RFC 9110, section 14.6),
    /// `multipart/x-mixed-replace` or any other subtype.
    ///
    /// ```swift
    /// for try await part in request.sendStream().parts() {
    ///     try file.write(part.data, at: part.headers.contentRange)
    /// }
    /// ```
    ///
    /// Line ends are CRLF (RFC 2046, section 5.1.1). A line that begins with the boundary, and has more than spaces or
    /// tabs after it, is content, and so is one that ends with LF alone.
    ///
    /// A body of another type fails with ``ErrandError/Code-swift.struct/unacceptableContentType``. A malformed body,
    /// or one that ends before its last boundary, fails with `decodingFailed` after the complete parts. A part that is
    /// too large, or that has more than 64 KiB of header fields, fails with `elementTooLarge`. Cancelling the task that
    /// reads, or leaving the loop, ends the transfer.
    ///
    /// For parts that are too large for memory, see ``streamedParts()``.
    ///
    /// A server may respond to a request for several ranges with a single range, which is not multipart, or with the
    /// whole representation. In that case, check the status and the type with ``open(adding:)`` first.
    ///
    /// - Parameter maximumSize: The maximum size of a part in bytes; 16 MiB by default. It also bounds the buffer for
    ///   an incomplete part. A negative value counts as zero.
    public func parts(maximumSize: Int = 16 << 20) -> some AsyncSequence<BodyPart, any Error> & Sendable {
        ParsedSequence(base: self, parser: PartCollector(boundary: nil, maximumSize: maximumSize))
    }
}

extension AsyncSequence where Self: Sendable, Element == Data {
    /// Returns the parts of a multipart body with a known boundary, as ``ResponseStream/parts(maximumSize:)`` does.
    ///
    /// - Parameters:
    ///   - boundary: The parameter `boundary` of the `Content-Type`.
    ///   - maximumSize: The maximum size of a part in bytes; 16 MiB by default. A negative value counts as zero.
    public func parts(
        boundary: String, maximumSize: Int = 16 << 20
    ) -> some AsyncSequence<BodyPart, any Error> & Sendable {
        ParsedSequence(base: self, parser: PartCollector(boundary: boundary, maximumSize: maximumSize))
    }
}

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

extension BodyPart: Confidential {
    /// The names of the header fields and the number of bytes, but never their content.
    public var description: String { "BodyPart(\(headers), \(data.count) bytes)" }
}

extension DataResponse {
    /// Returns the parts of a multipart body that is in memory.
    ///
    /// ```swift
    /// let ranges = try response.decodeParts().map { ($0.headers.contentRange, $0.data) }
    /// ```
    ///
    /// - Throws: ``ErrandError`` with `unacceptableContentType` for a body of another type, with `decodingFailed` for a
    ///   malformed body or one that ends before its last boundary, or with `elementTooLarge` for a part with more than
    ///   64 KiB of header fields.
    public func decodeParts() throws(ErrandError) -> [BodyPart] {
        do throws(ErrandError) {
            var parser = PartCollector(boundary: nil, maximumSize: .max)
            try parser.begin(self)
            parser.append(data)
            var parts: [BodyPart] = []
            while let part = try parser.next() { parts.append(part) }
            if let last = try parser.finish() { parts.append(last) }
            return parts
        } catch {
            throw error.with(response: self)
        }
    }
}

extension Pipeline where Output == DataResponse {
    /// Returns the parts of a multipart body, as ``DataResponse/decodeParts()`` does.
    public func decodeParts() -> Pipeline<[BodyPart], any Error> {
        decoding { try $0.decodeParts() }
    }
}
