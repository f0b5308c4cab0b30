extension ResponseStream {
    /// The parts of a multipart body, each as soon as it is complete: of `multipart/mixed`, `multipart/related`,
    /// `multipart/byteranges` (RFC 9110, section 14.6), `multipart/x-mixed-replace` and every other subtype.
    ///
    /// ```swift
    /// for try await part in request.sendStream().parts() {
    ///     try file.write(part.data, at: part.headers.contentRange)
    /// }
    /// ```
    ///
    /// A body of another type fails with ``ErrandError/Code-swift.struct/unacceptableContentType``, and one that is malformed or ends
    /// before its last boundary with `decodingFailed`, after the parts that are complete. A part that is too large fails with
    /// `elementTooLarge`. Cancelling the task that reads, or leaving the loop, ends the transfer.
    ///
    /// A server may answer a request for several ranges with one range, which is not multipart, or with everything: look at the status and the type
    /// of ``open(adding:)`` first if it does.
    ///
    /// - Parameter maximumSize: The most bytes of a part; 16 MiB by default. It is also how much of an unfinished part is kept. Less than
    ///   zero counts as zero.
    public func parts(maximumSize: Int = 16 << 20) -> BodyParts<ResponseStream> {
        BodyParts(base: self, boundary: nil, maximumSize: maximumSize)
    }
}

extension AsyncSequence where Element == Data {
    /// The parts of a multipart body with a known boundary, as ``ResponseStream/parts(maximumSize:)`` gives them.
    ///
    /// - Parameters:
    ///   - boundary: The parameter `boundary` of the `Content-Type`.
    ///   - maximumSize: The most bytes of a part; 16 MiB by default. Less than zero counts as zero.
    public func parts(boundary: String, maximumSize: Int = 16 << 20) -> BodyParts<Self> {
        BodyParts(base: self, boundary: boundary, maximumSize: maximumSize)
    }
}

/// The parts of a multipart body, as ``ResponseStream/parts(maximumSize:)`` gives them.
public struct BodyParts<Base: AsyncSequence>: AsyncSequence where Base.Element == Data {
    /// A part.
    public typealias Element = BodyPart

    let base: Base
    /// `nil` for the one that the response names.
    let boundary: String?
    let maximumSize: Int

    /// Starts to read the body.
    public func makeAsyncIterator() -> AsyncIterator {
        AsyncIterator(
            parts: ParsingIterator(
                base.makeAsyncIterator(), MultipartParser(boundary: boundary, maximumSize: maximumSize)))
    }

    /// Goes from part to part; to be used by one task at a time.
    public struct AsyncIterator: AsyncIteratorProtocol {
        fileprivate var parts: ParsingIterator<Base.AsyncIterator, MultipartParser>

        /// The next part; `nil` after the last one, and from then on after an error.
        ///
        /// - Throws: What the body throws; ``ErrandError`` with `unacceptableContentType`, `decodingFailed`, `elementTooLarge` or `cancelled`.
        public mutating func next() async throws -> BodyPart? {
            try await parts.next()
        }
    }
}

extension BodyParts: Sendable where Base: Sendable {}
