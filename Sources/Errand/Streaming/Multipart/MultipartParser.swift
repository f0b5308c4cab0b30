/// A parser of a multipart body (RFC 2046, section 5.1.1), wherever the bytes are split into pieces.
///
/// Each part is a head, its content in any number of pieces, and an end. The content is returned as it arrives, except
/// for bytes that may begin a boundary.
///
/// Line ends are CRLF, as in HTTP; a line that ends with LF alone is never a boundary. The preamble before the first
/// boundary and the epilogue after the last one are skipped. Only spaces and tabs may follow a boundary on its line.
/// Every other line that begins like a boundary is content. The body may end without the last line end.
struct MultipartParser: PieceParser {
    /// A step of a body.
    enum Event: Sendable {
        /// The header fields of the next part.
        case head(HeaderFields)
        /// The next bytes of the part, which are never empty.
        case content(Data)
        /// The end of the part.
        case end
    }

    private enum State {
        /// Before the first boundary.
        case preamble
        /// After a boundary, before the empty line that ends the header fields.
        case head
        case content
        /// After the boundary that ends a part.
        case end(isLast: Bool)
        /// After the last boundary.
        case epilogue
    }

    /// The meaning of the bytes after a delimiter.
    private enum Continuation {
        /// A part. Its head begins with the line end after the delimiter.
        case part(head: Int)
        case end
        /// Content: the delimiter is not a boundary.
        case content
        /// Unknown until more bytes arrive.
        case unknown
    }

    /// The maximum size in bytes of the header fields of a part.
    private static let maximumHeadSize = 65_536
    private static let lineEnd = Array("\r\n".utf8)

    /// CRLF, two hyphens and the boundary; empty until the boundary is known.
    private var delimiter: [UInt8] = []
    private var state = State.preamble
    /// The bytes that are not parsed yet. At first, they are a line end, since the body may begin with the boundary.
    private var bytes = Self.lineEnd
    /// The position in `bytes` where the current head or content begins.
    private var start = 0
    /// The position in `bytes` where the search continues.
    private var position = 0
    /// Whether no more bytes will arrive.
    private var isAtEnd = false

    /// - Parameter boundary: The boundary; `nil` to use the one in the response, see ``begin(_:)``.
    init(boundary: String?) {
        if let boundary { setBoundary(boundary) }
    }

    mutating func begin(_ response: DataResponse) throws(ErrandError) {
        guard delimiter.isEmpty else { return }
        guard let type = response.headers.contentType, type.type == "multipart" else {
            throw ErrandError(.unacceptableContentType, reason: "the response is not multipart")
        }
        guard let boundary = type["boundary"], !boundary.isEmpty else {
            throw ErrandError(.decodingFailed, reason: "the Content-Type of the multipart body names no boundary")
        }
        setBoundary(boundary)
    }

    mutating func append(_ piece: Data) {
        // The search may begin before the content does, at the line end of the head.
        let parsed = min(start, position)
        bytes.removeSubrange(..<parsed)
        start -= parsed
        position -= parsed
        bytes += piece
    }

    mutating func next() throws(ErrandError) -> Event? {
        // Without a boundary, before the response is known, there are no parts.
        while !delimiter.isEmpty {
            switch state {
            case .preamble:
                guard let boundary = findBoundary() else {
                    // The preamble is not kept.
                    start = position
                    return nil
                }
                state = boundary.isLast ? .epilogue : .head
            case .head:
                guard let headers = try readHead() else { return nil }
                state = .content
                return .head(headers)
            case .content:
                if let content = readContent() { return .content(content) }
                guard case .end = state else { return nil }
            case .end(let isLast):
                state = isLast ? .epilogue : .head
                return .end
            case .epilogue:
                start = bytes.count
                position = start
                return nil
            }
        }
        return nil
    }

    mutating func finish() throws(ErrandError) -> Event? {
        isAtEnd = true
        // The end of the body may end the line of the last boundary, and so complete the last part, whose content was
        // returned before.
        if let event = try next() { return event }
        if case .epilogue = state { return nil }
        throw ErrandError(.decodingFailed, reason: "the multipart body ends before its last boundary")
    }

    private mutating func setBoundary(_ boundary: String) {
        delimiter = Self.lineEnd + Array("--\(boundary)".utf8)
    }

    /// Returns the header fields of a part; `nil` if more bytes are needed.
    private mutating func readHead() throws(ErrandError) -> HeaderFields? {
        // The line end after the boundary is part of the head, so that an empty line can follow directly.
        let end = firstIndex(of: Self.lineEnd + Self.lineEnd, from: position)
        guard (end ?? bytes.count) - start <= Self.maximumHeadSize else {
            throw ErrandError(
                .elementTooLarge, reason: "a part has more than \(Self.maximumHeadSize) bytes of header fields")
        }
        guard let end else {
            // The last three bytes may be the beginning of CRLF CRLF.
            position = max(start, bytes.count - 3)
            return nil
        }
        let headers = HeaderFields(lines: Array(bytes[start..<end].dropFirst(2) + Self.lineEnd))
        // If the part has no content, the line end of the empty line may also be that of the next boundary.
        start = end + 4
        position = end + 2
        return headers
    }

    /// Returns the content that has arrived, up to the next boundary; `nil` without any. Moves to the state after the
    /// boundary if that has arrived too.
    private mutating func readContent() -> Data? {
        let begin = start
        let boundary = findBoundary()
        // A part without content ends before it begins, since its boundary shares the line end of the empty line.
        let end = boundary?.position ?? position
        if let boundary {
            state = .end(isLast: boundary.isLast)
        } else {
            start = max(start, position)
        }
        return begin < end ? Data(bytes[begin..<end]) : nil
    }

    /// Moves after the next boundary.
    ///
    /// - Returns: The position of its delimiter, and whether it is the last one; `nil` if more bytes are needed. Then
    ///   the bytes before `position` belong to no boundary.
    private mutating func findBoundary() -> (position: Int, isLast: Bool)? {
        while let found = firstIndex(of: delimiter, from: position) {
            switch continuation(at: found + delimiter.count) {
            case .part(let head):
                start = head
                position = head
                return (found, false)
            case .end:
                return (found, true)
            case .content:
                position = found + 1
            case .unknown:
                position = found
                return nil
            }
        }
        // The last bytes may be the beginning of a delimiter.
        position = max(position, bytes.count - delimiter.count + 1)
        while position < bytes.count, !delimiter.starts(with: bytes[position...]) { position += 1 }
        return nil
    }

    /// Returns the meaning of the bytes that follow a delimiter.
    private func continuation(at index: Int) -> Continuation {
        var rest = bytes[index...]
        guard rest.count >= 2 else { return .unknown }
        let isLast = rest.starts(with: "--".utf8)
        if isLast { rest = rest.dropFirst(2) }
        // White space may follow a boundary.
        let padding = rest.prefix { $0 == 0x20 || $0 == 0x09 }.count
        // The limit keeps the search for the end of the white space short.
        if padding > 1024 { return .content }
        let unpadded = rest.dropFirst(padding)
        if unpadded.starts(with: Self.lineEnd) { return isLast ? .end : .part(head: unpadded.startIndex) }
        // A CR at the end may begin the line end.
        guard unpadded.isEmpty || unpadded.elementsEqual([0x0D]) else { return .content }
        return isLast && isAtEnd ? .end : .unknown
    }

    private func firstIndex(of pattern: [UInt8], from first: Int) -> Int? {
        bytes.withUnsafeBytes { bytes in
            pattern.withUnsafeBytes { pattern in
                guard let base = bytes.baseAddress, let wanted = pattern.baseAddress else { return nil }
                var index = first
                while bytes.count - index >= pattern.count {
                    guard let found = memchr(base + index, Int32(pattern[0]), bytes.count - index - pattern.count + 1)
                    else { return nil }
                    index = UnsafeRawPointer(found) - base
                    if memcmp(base + index, wanted, pattern.count) == 0 { return index }
                    index += 1
                }
                return nil
            }
        }
    }
}
