package import Errand

/// The head of an HTTP/1.1 message that Errand parses itself, without libcurl. Parsing is strict (RFC 9112, sections 3
/// to 5), except that a field may continue on further lines (section 5.2).
package struct HTTPHead: Sendable {
    package struct Malformed: Error, Hashable {
        package var reason: String
    }

    /// The request line or the status line.
    package let startLine: String
    package let headers: HeaderFields

    /// - Parameter bytes: The bytes from the first line to the empty line, both included.
    init(_ bytes: [UInt8]) throws(Malformed) {
        guard bytes.suffix(4).elementsEqual(Self.end) else {
            throw Malformed(reason: "the head does not end with an empty line")
        }
        let lines = try Self.lines(of: bytes.dropLast(4))
        startLine = String(decoding: lines[0], as: UTF8.self)
        for line in lines.dropFirst() where line.first?.isBlank != true {
            guard let colon = line.firstIndex(of: UInt8(ascii: ":")),
                String(decoding: line[..<colon], as: UTF8.self).isHTTPToken
            else { throw Malformed(reason: "a header field has no name") }
        }
        // The lines of the fields: without the first line, and without the empty line at the end.
        let block = bytes.drop { $0 != UInt8(ascii: "\n") }.dropFirst().dropLast(2)
        headers = HeaderFields(lines: Array(block))
    }

    func statusCode() throws(Malformed) -> Int {
        let bytes = Array(startLine.utf8)
        // "HTTP/1.1 101", with a space after it if there is a reason.
        guard bytes.count >= 12, bytes.starts(with: "HTTP/1.".utf8), 0x30...0x31 ~= bytes[7], bytes[8] == 0x20,
            bytes[9..<12].allSatisfy({ 0x30...0x39 ~= $0 }), bytes.count == 12 || bytes[12] == 0x20
        else { throw Malformed(reason: "the first line is not the status line of HTTP/1.0 or HTTP/1.1") }
        let status = bytes[9..<12].reduce(0) { $0 * 10 + Int($1 - 0x30) }
        guard status >= 100 else { throw Malformed(reason: "the status code \(status) is less than 100") }
        // Only HTTP/1.1 supports upgrades (RFC 9110, section 7.8).
        if status == 101, bytes[7] == 0x30 {
            throw Malformed(reason: "the version is HTTP/1.0; an upgrade needs HTTP/1.1")
        }
        return status
    }

    private static let end = Array("\r\n\r\n".utf8)

    /// Returns the lines without their ends. A line end is CRLF; a lone CR or LF is an error.
    private static func lines(of bytes: ArraySlice<UInt8>) throws(Malformed) -> [ArraySlice<UInt8>] {
        var lines: [ArraySlice<UInt8>] = []
        for (index, line) in bytes.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false).enumerated() {
            var line = line
            if line.endIndex < bytes.endIndex {
                guard line.popLast() == UInt8(ascii: "\r") else {
                    throw Malformed(reason: "a line does not end with CRLF")
                }
            }
            guard line.allSatisfy({ ($0 >= 0x20 && $0 != 0x7F) || $0 == 0x09 }) else {
                throw Malformed(reason: "the head has a control character")
            }
            // Such a line continues a header field, but no field comes before it (RFC 9112, section 2.2).
            if index == 1, line.first?.isBlank == true {
                throw Malformed(reason: "the line after the first line begins with white space")
            }
            lines.append(line)
        }
        return lines
    }
}

/// An incremental reader that finds the end of a head, wherever the bytes are split.
package struct HTTPHeadReader: Sendable {
    private let limit: Int
    private var bytes: [UInt8] = []
    /// The offset before which the end of the head does not begin.
    private var searched = 0

    /// - Parameter limit: The maximum size of a head in bytes.
    package init(limit: Int) {
        self.limit = limit
    }

    /// The bytes after the heads that were returned.
    package var rest: [UInt8] { bytes }

    package mutating func append(_ piece: some Collection<UInt8>) {
        bytes.append(contentsOf: piece)
    }

    /// Returns the next head; `nil` if it is not complete.
    ///
    /// - Throws: ``HTTPHead/Malformed``, also for a head that is too long.
    package mutating func next() throws(HTTPHead.Malformed) -> HTTPHead? {
        guard let end = end() else {
            guard bytes.count < limit else { throw HTTPHead.Malformed(reason: "the head is too long") }
            return nil
        }
        guard end <= limit else { throw HTTPHead.Malformed(reason: "the head is too long") }
        let head = Array(bytes[..<end])
        bytes.removeFirst(end)
        searched = 0
        return try HTTPHead(head)
    }

    /// Returns the offset after the empty line that ends the head; `nil` if it has not arrived.
    private mutating func end() -> Int? {
        while searched + 4 <= bytes.count {
            if bytes[searched] == 0x0D, bytes[searched + 1] == 0x0A, bytes[searched + 2] == 0x0D,
                bytes[searched + 3] == 0x0A
            {
                return searched + 4
            }
            searched += 1
        }
        return nil
    }
}

/// The first bytes of the body of a refused handshake, which Errand parses itself. It ends after `Content-Length`
/// bytes, after the last chunk, or with the connection (RFC 9112, sections 6 and 7).
struct RefusalBody: Sendable {
    private enum Framing {
        case none
        case sized(Int)
        case chunked
        case untilClose
    }

    private let framing: Framing
    private let limit: Int
    private var raw: [UInt8] = []

    /// - Parameter limit: The maximum number of bytes to keep.
    init(of head: HTTPHead, statusCode: Int, limit: Int) {
        self.limit = limit
        let headers = head.headers
        if statusCode == 204 || statusCode == 304 {
            framing = .none
        } else if headers["Transfer-Encoding"] != nil {
            framing = .chunked
        } else if let count = headers["Content-Length"].flatMap({ Int($0) }), count >= 0 {
            framing = .sized(count)
        } else {
            framing = .untilClose
        }
    }

    /// Adds received bytes. Keeps at most twice the limit, which leaves room for the heads of chunks.
    mutating func append(_ bytes: some Collection<UInt8>) {
        raw.append(contentsOf: bytes.prefix(max(2 * limit - raw.count, 0)))
    }

    /// Whether no more bytes are needed.
    var isWhole: Bool {
        switch framing {
        case .none: true
        case .sized(let count): raw.count >= min(count, limit)
        case .chunked: raw.count >= 2 * limit || dechunked.isWhole || dechunked.bytes.count >= limit
        case .untilClose: raw.count >= limit
        }
    }

    /// The received bytes of the body.
    var data: Data {
        switch framing {
        case .none: Data()
        case .sized(let count): Data(raw.prefix(min(count, limit)))
        case .chunked: Data(dechunked.bytes.prefix(limit))
        case .untilClose: Data(raw.prefix(limit))
        }
    }

    /// The content of the received chunks before the last or an invalid one, and whether that one was received.
    private var dechunked: (bytes: [UInt8], isWhole: Bool) {
        var bytes: [UInt8] = []
        var rest = raw[...]
        while let lineEnd = rest.firstIndex(of: UInt8(ascii: "\n")) {
            let digits = rest[..<lineEnd].prefix { $0 != UInt8(ascii: ";") && $0 != UInt8(ascii: "\r") }
            guard let size = Int(String(decoding: digits, as: UTF8.self), radix: 16), size > 0 else {
                return (bytes, true)
            }
            rest = rest[(lineEnd + 1)...]
            bytes.append(contentsOf: rest.prefix(size))
            guard rest.count > size else { break }
            rest = rest.dropFirst(size)
            rest = rest.dropFirst(rest.first == UInt8(ascii: "\r") ? 2 : 1)
        }
        return (bytes, false)
    }
}
