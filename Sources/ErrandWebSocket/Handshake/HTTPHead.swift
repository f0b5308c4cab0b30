package import Errand

/// The head of an HTTP/1.1 message that Errand parses itself, without libcurl. Parsing is strict (RFC 9112, sections 3
/// to 5), except that a header field may continue on further lines (section 5.2).
package struct HTTPHead: Sendable {
    /// The error of an invalid head.
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
        // A line that begins with white space continues the header field before it.
        for line in lines.dropFirst() where line.first?.isBlank != true {
            guard let colon = line.firstIndex(of: UInt8(ascii: ":")),
                String(decoding: line[..<colon], as: UTF8.self).isHTTPToken
            else { throw Malformed(reason: "a header field has no name") }
        }
        // The lines of the header fields: without the first line, and without the empty line at the end.
        let block = bytes.drop { $0 != UInt8(ascii: "\n") }.dropFirst().dropLast(2)
        headers = HeaderFields(lines: Array(block))
    }

    /// Parses the status line of a response.
    func statusCode() throws(Malformed) -> Int {
        let bytes = Array(startLine.utf8)
        // "HTTP/1.1 101", with a space after it if there is a reason.
        guard bytes.count >= 12, bytes.starts(with: "HTTP/1.".utf8), 0x30...0x31 ~= bytes[7], bytes[8] == 0x20,
            bytes[9..<12].allSatisfy(\.isDigit), bytes.count == 12 || bytes[12] == 0x20
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
            // The first line is not a header field, so this line cannot continue it (RFC 9112, section 2.2).
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
    /// The number of offsets at which the end of the head does not begin. They are not searched again.
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
        guard let end = findEnd() else {
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
    private mutating func findEnd() -> Int? {
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
