extension ResponseStream {
    /// Returns the parts of a multipart body, each as soon as its header fields have arrived.
    ///
    /// ```swift
    /// for try await part in request.sendStream().streamedParts() {
    ///     guard part.headers.contentType == .mp4 else { continue }
    ///     for try await piece in part.body { try film.write(contentsOf: piece) }
    /// }
    /// ```
    ///
    /// The content of a part can have any size, since it is read as it arrives. If all parts are small, use
    /// ``parts(maximumSize:)``, which has the same rules for line ends and boundaries, and the same errors. The request
    /// for the next part and the content of the current one throw them.
    ///
    /// Read the parts in order, in one task at a time. A request for the next part skips the rest of the current one.
    /// Reading a skipped content fails with ``ErrandError/Code-swift.struct/decodingFailed``, and so does reading in
    /// two tasks at the same time.
    ///
    /// After an error of the body, such as an interruption, each further part and content throws that error again. A
    /// loop that catches the error of one part therefore does not take an incomplete body for a complete one.
    ///
    /// Cancelling the task that reads ends the transfer, and so does leaving the loop, unless a part is kept.
    public func streamedParts() -> some AsyncSequence<StreamedPart, any Error> & Sendable {
        StreamedParts(events: ParsedSequence(base: self, parser: MultipartParser(boundary: nil)))
    }
}

extension AsyncSequence where Self: Sendable, Element == Data {
    /// Returns the parts of a multipart body with a known boundary, as ``ResponseStream/streamedParts()`` does.
    ///
    /// - Parameter boundary: The parameter `boundary` of the `Content-Type`.
    public func streamedParts(boundary: String) -> some AsyncSequence<StreamedPart, any Error> & Sendable {
        StreamedParts(events: ParsedSequence(base: self, parser: MultipartParser(boundary: boundary)))
    }
}

/// A part of a multipart body (RFC 2046, section 5.1) whose content is read as it arrives.
///
/// ```swift
/// for try await part in request.sendStream().streamedParts() {
///     for try await line in part.body.lines() { print(line) }
/// }
/// ```
public struct StreamedPart: Sendable {
    /// The header fields of the part. A part without a `Content-Type` is `text/plain` in US-ASCII (RFC 2046, section
    /// 5.1).
    public let headers: HeaderFields
    /// The bytes of the part, as they were sent. They can be read once, before the next part is requested.
    public let body: ResponseBody
    /// The error of a failed ``collected(upTo:)``, which has read some of the content.
    private let failure = Locked<(any Error)?>(nil)

    /// Creates a part, for tests of code that reads parts.
    ///
    /// - Parameters:
    ///   - headers: The header fields.
    ///   - body: The content.
    public init(headers: HeaderFields = [:], body: ResponseBody) {
        self.headers = headers
        // A collected content can be read again.
        self.body = body.isStreamed ? body.failing(with: failure) : body
    }

    /// Returns this part with the rest of its content in memory. After an error, a streamed content throws the same
    /// error each time it is read.
    ///
    /// - Parameter limit: The maximum size in bytes; 16 MiB by default. A negative value counts as zero.
    /// - Throws: ``ErrandError`` with `elementTooLarge` for a larger content, or the errors of
    ///   ``ResponseStream/streamedParts()``.
    public func collected(upTo limit: Int = 16 << 20) async throws -> BodyPart {
        let limit = max(0, limit)
        var data = Data()
        do {
            for try await piece in body {
                guard piece.count <= limit - data.count else {
                    throw ErrandError(.elementTooLarge, reason: "a part has more than \(limit) bytes")
                }
                data += piece
            }
        } catch {
            let error = (body as (any ResponseReading)?).describing(error)
            failure.withLock { $0 = error }
            throw error
        }
        return BodyPart(headers: headers, data: data)
    }
}

extension ResponseBody {
    /// Returns this streamed body. Once there is an error, each read throws it.
    fileprivate func failing(with failure: Locked<(any Error)?>) -> ResponseBody {
        let reader = reader
        var body = ResponseBody(prefix: data) {
            if let failure = failure.withLock(\.self) { throw failure }
            return try await reader()
        }
        body.response = response
        body.errorMapping = errorMapping
        return body
    }
}

extension StreamedPart: Confidential {
    /// The names of the header fields, but never their values or the content.
    public var description: String { "StreamedPart(\(headers), \(body))" }
}

/// The parts of a multipart body, whose iterator and contents share one reader of the body.
private struct StreamedParts<Base: AsyncSequence & Sendable>: AsyncSequence, Sendable where Base.Element == Data {
    let events: ParsedSequence<Base, MultipartParser>

    func makeAsyncIterator() -> AsyncIterator { AsyncIterator(reading: PartReading(events)) }

    struct AsyncIterator: AsyncIteratorProtocol {
        fileprivate let reading: PartReading<Base>

        mutating func next(isolation actor: isolated (any Actor)?) async throws -> StreamedPart? {
            try await reading.nextPart()
        }

        mutating func next() async throws -> StreamedPart? {
            try await next(isolation: #isolation)
        }
    }
}

/// The reader of a multipart body. The iterator of the parts and the content of the current part share it.
///
/// It is an actor because an iterator is a mutable value.
private actor PartReading<Base: AsyncSequence & Sendable> where Base.Element == Data {
    typealias Events = ParsedSequence<Base, MultipartParser>

    private let events: Events
    /// `nil` before the first event, and while a task waits for one.
    private var iterator: Events.AsyncIterator?
    private var isReading = false
    /// The number of the current part, from 1.
    private var current = 0
    /// The error that ended the body. The iterator alone would end without an error after it.
    private var failure: (any Error)?
    /// The head of the response and the conversion of errors, if the body has them.
    private var source = Source()

    private struct Source: ResponseReading {
        var response: DataResponse?
        var errorMapping: (@Sendable (any Error) -> any Error)?
    }

    init(_ events: Events) {
        self.events = events
    }

    /// Skips the rest of the current part. Returns the next part; `nil` after the last one.
    func nextPart() async throws -> StreamedPart? {
        current += 1
        let number = current
        while let event = try await next() {
            if case .head(let headers) = event { return StreamedPart(headers: headers, body: body(of: number)) }
        }
        return nil
    }

    /// Returns the content of a part. Its errors, and those of sequences that parse it, describe the response.
    private func body(of number: Int) -> ResponseBody {
        let hasEnded = Locked(false)
        var body = ResponseBody {
            if hasEnded.withLock(\.self) { return nil }
            let piece = try await self.piece(of: number)
            if piece == nil { hasEnded.withLock { $0 = true } }
            return piece
        }
        body.response = source.response
        body.errorMapping = source.errorMapping
        return body
    }

    /// Returns the next piece of a part; `nil` at its end.
    private func piece(of number: Int) async throws -> Data? {
        guard failure != nil || number == current else {
            throw described(
                ErrandError(.decodingFailed, reason: "the next part was requested before the end of this one"))
        }
        guard case .content(let piece)? = try await next() else { return nil }
        return piece
    }

    private func next() async throws -> MultipartParser.Event? {
        if let failure { throw failure }
        guard !isReading else {
            throw described(
                ErrandError(.decodingFailed, reason: "two tasks read a multipart body at the same time"))
        }
        isReading = true
        // A property of an actor cannot be changed during a call that suspends. A copy would share the parser's bytes.
        var taken = iterator.take() ?? events.makeAsyncIterator()
        source.errorMapping = taken.errorMapping
        defer {
            iterator = taken
            isReading = false
        }
        do {
            let event = try await taken.next(isolation: self)
            // The errors need only the head. The stream of the response would keep the transfer open.
            if source.response == nil { source.response = taken.response?.withoutStream }
            return event
        } catch {
            failure = error
            throw error
        }
    }

    private func described(_ error: ErrandError) -> any Error {
        (source as (any ResponseReading)?).describing(error)
    }
}
