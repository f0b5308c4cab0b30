/// Takes the bytes of a multipart body apart into its parts (RFC 2046, section 5.1.1), wherever they are split into pieces.
///
/// Line ends are CRLF, as HTTP has them. What comes before the first boundary and after the last one is passed over. A line that only
/// begins as a boundary does is content.
struct MultipartParser: PieceParser {
    private enum State {
        /// Before the first boundary.
        case preamble
        /// After a boundary, before the empty line that ends the header fields.
        case head
        case content(HeaderFields)
        /// After the last boundary.
        case epilogue
    }

    /// What follows the bytes of a delimiter.
    private enum Continuation {
        /// A part, whose head begins with the line end of the delimiter.
        case part(head: Int)
        case end
        /// It is not a boundary.
        case content
        /// More bytes are needed to tell.
        case unknown
    }

    /// The most bytes of the header fields of a part.
    private static let maximumHeadSize = 65_536
    private static let lineEnd = Array("\r\n".utf8)

    private let maximumSize: Int
    /// CRLF, two hyphens and the boundary; empty while the boundary is not known.
    private var delimiter: [UInt8] = []
    private var state = State.preamble
    /// What is not parsed yet. It begins as if a line had ended, since the first boundary may be the first line.
    private var bytes = Self.lineEnd
    /// Where in `bytes` the head or the content begins that is being read.
    private var start = 0
    /// Where in `bytes` the search goes on.
    private var position = 0

    /// - Parameters:
    ///   - boundary: `nil` for the one that the response names, see ``begin(_:)``.
    ///   - maximumSize: The most bytes of a part.
    init(boundary: String?, maximumSize: Int) {
        self.maximumSize = max(0, maximumSize)
        if let boundary { setBoundary(boundary) }
    }

    mutating func begin(_ answer: DataResponse) throws(ErrandError) {
        guard delimiter.isEmpty else { return }
        guard let type = answer.headers.contentType, type.type == "multipart" else {
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

    mutating func next() throws(ErrandError) -> BodyPart? {
        // Asked before the response is known, it has nothing.
        while !delimiter.isEmpty {
            switch state {
            case .preamble:
                guard try skipToBoundary() else { return nil }
            case .head:
                guard let headers = try readHead() else { return nil }
                state = .content(headers)
            case .content(let headers):
                guard let content = try readContent() else { return nil }
                return BodyPart(headers: headers, data: content)
            case .epilogue:
                start = bytes.count
                position = start
                return nil
            }
        }
        return nil
    }

    mutating func finish() throws(ErrandError) -> BodyPart? {
        if case .epilogue = state { return nil }
        // A last boundary needs nothing after its hyphens, so there is no part that the end completes.
        throw ErrandError(.decodingFailed, reason: "the multipart body ends before its last boundary")
    }

    private mutating func setBoundary(_ boundary: String) {
        delimiter = Self.lineEnd + Array("--\(boundary)".utf8)
    }

    private mutating func skipToBoundary() throws(ErrandError) -> Bool {
        let boundary = findBoundary()
        // Nothing of the preamble is kept.
        if boundary == nil { start = position }
        return boundary != nil
    }

    private mutating func readHead() throws(ErrandError) -> HeaderFields? {
        // The line end of the boundary belongs to it, so that an empty line can follow at once.
        let end = firstIndex(of: Self.lineEnd + Self.lineEnd, from: position)
        guard (end ?? bytes.count) - start <= Self.maximumHeadSize else {
            throw ErrandError(
                .elementTooLarge, reason: "a part has more than \(Self.maximumHeadSize) bytes of header fields")
        }
        guard let end else {
            position = max(start, bytes.count - 3)
            return nil
        }
        let headers = HeaderFields(FieldBlock(bytes: Array(bytes[start..<end].dropFirst(2) + Self.lineEnd)))
        // The line end of the empty line may be that of a boundary, if the part has no content.
        start = end + 4
        position = end + 2
        return headers
    }

    private mutating func readContent() throws(ErrandError) -> Data? {
        let begin = start
        let end = findBoundary()
        // A part without content ends where it begins, and its boundary shares the line end of the empty line.
        let size = max(0, (end ?? position) - begin)
        guard size <= maximumSize else {
            throw ErrandError(.elementTooLarge, reason: "a part has more than \(maximumSize) bytes")
        }
        return end.map { Data(bytes[begin..<max(begin, $0)]) }
    }

    /// Goes to the next boundary, and to the state after it.
    ///
    /// - Returns: Where its delimiter begins; `nil` when more bytes are needed.
    private mutating func findBoundary() -> Int? {
        while let found = firstIndex(of: delimiter, from: position) {
            switch continuation(at: found + delimiter.count) {
            case .part(let head):
                state = .head
                start = head
                position = head
                return found
            case .end:
                state = .epilogue
                return found
            case .content:
                position = found + 1
            case .unknown:
                position = found
                return nil
            }
        }
        position = max(position, bytes.count - delimiter.count + 1)
        return nil
    }

    private func continuation(at index: Int) -> Continuation {
        let rest = bytes[index...]
        guard rest.count >= 2 else { return .unknown }
        if rest.starts(with: "--".utf8) { return .end }
        // White space may follow a boundary.
        let padding = rest.prefix { $0 == 0x20 || $0 == 0x09 }.count
        let end = rest.dropFirst(padding)
        // Nobody pads without end.
        if padding > 1024 { return .content }
        if end.count < 2 { return end.first.map { $0 == 0x0D } ?? true ? .unknown : .content }
        return end.starts(with: Self.lineEnd) ? .part(head: end.startIndex) : .content
    }

    private func firstIndex(of pattern: [UInt8], from start: Int) -> Int? {
        bytes.withUnsafeBytes { bytes in
            pattern.withUnsafeBytes { pattern in
                guard let base = bytes.baseAddress, let wanted = pattern.baseAddress else { return nil }
                var position = start
                while bytes.count - position >= pattern.count {
                    guard
                        let found = memchr(
                            base + position, Int32(pattern[0]), bytes.count - position - pattern.count + 1)
                    else { return nil }
                    position = UnsafeRawPointer(found) - base
                    if memcmp(base + position, wanted, pattern.count) == 0 { return position }
                    position += 1
                }
                return nil
            }
        }
    }
}
