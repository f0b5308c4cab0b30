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
    /// A body of another type fails with ``ErrandError/Code-swift.struct/unacceptableContentType``. A malformed body,
    /// or one that ends before its last boundary, fails with `decodingFailed` after the complete parts. A part that is
    /// too large, or that has more than 64 KiB of header fields, fails with `elementTooLarge`. Cancelling the task that
    /// reads, or leaving the loop, ends the transfer.
    ///
    /// A server may respond to a request for several ranges with a single range, which is not multipart, or with the
    /// whole representation. In that case, check the status and the type with ``open(adding:)`` first.
    ///
    /// - Parameter maximumSize: The maximum size of a part in bytes; 16 MiB by default. It also bounds the buffer for
    ///   an incomplete part. A negative value counts as zero.
    public func parts(maximumSize: Int = 16 << 20) -> BodyParts<ResponseStream> {
        BodyParts(base: self, boundary: nil, maximumSize: maximumSize)
    }
}

extension AsyncSequence where Element == Data {
    /// Returns the parts of a multipart body with a known boundary, as ``ResponseStream/parts(maximumSize:)`` does.
    ///
    /// - Parameters:
    ///   - boundary: The parameter `boundary` of the `Content-Type`.
    ///   - maximumSize: The maximum size of a part in bytes; 16 MiB by default. A negative value counts as zero.
    public func parts(boundary: String, maximumSize: Int = 16 << 20) -> BodyParts<Self> {
        BodyParts(base: self, boundary: boundary, maximumSize: maximumSize)
    }
}

/// The parts of a multipart body. ``ResponseStream/parts(maximumSize:)`` returns it.
public struct BodyParts<Base: AsyncSequence>: AsyncSequence where Base.Element == Data {
    /// A part.
    public typealias Element = BodyPart

    let base: Base
    /// The boundary; `nil` to use the one in the response.
    let boundary: String?
    let maximumSize: Int

    /// Creates an iterator over the parts.
    public func makeAsyncIterator() -> AsyncIterator {
        AsyncIterator(
            parts: ParsingIterator(
                base.makeAsyncIterator(), MultipartParser(boundary: boundary, maximumSize: maximumSize)))
    }

    /// An iterator over the parts. Only one task at a time may use it.
    public struct AsyncIterator: AsyncIteratorProtocol {
        fileprivate var parts: ParsingIterator<Base.AsyncIterator, MultipartParser>

        /// Returns the next part; `nil` after the last one, and always after an error.
        ///
        /// - Throws: The errors of the body; ``ErrandError`` with `unacceptableContentType`, `decodingFailed`,
        ///   `elementTooLarge` or `cancelled`.
        public mutating func next() async throws -> BodyPart? {
            try await parts.next()
        }
    }
}

extension BodyParts: Sendable where Base: Sendable {}
