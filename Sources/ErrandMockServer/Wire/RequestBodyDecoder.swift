import Errand
import ErrandTesting

/// Extracts a request's body from the bytes after its head (RFC 9112, sections 6 and 7).
struct RequestBodyDecoder {
    private enum Expected {
        case sized(Int)
        case chunkSize
        case chunk(Int)
        case chunkEnd
        case trailer
        case nothing
    }

    private(set) var body = Data()
    private(set) var trailers = HeaderFields()
    private var expected: Expected
    private let maximumSize: Int
    private static let maximumLineLength = 8_192

    /// - Throws: An error if the head declares an invalid length, or more than `maximumSize`.
    init(for headers: HeaderFields, maximumSize: Int) throws(RequestFailure) {
        self.maximumSize = maximumSize
        let lengths = Set(headers[values: "Content-Length"])
        if let coding = headers["Transfer-Encoding"] {
            // A body with two lengths enables request smuggling; no client should send one.
            guard lengths.isEmpty, coding.lowercased() == "chunked" else { throw .malformed("Transfer-Encoding") }
            expected = .chunkSize
        } else if let length = lengths.first {
            guard lengths.count == 1, length.utf8.allSatisfy({ UInt8(ascii: "0")...UInt8(ascii: "9") ~= $0 }),
                let size = Int(length)
            else { throw .malformed("Content-Length") }
            guard size <= maximumSize else { throw .bodyTooLarge }
            expected = size == 0 ? .nothing : .sized(size)
        } else {
            expected = .nothing
        }
    }

    /// Whether the body is complete.
    var isFinished: Bool {
        if case .nothing = expected { true } else { false }
    }

    /// Moves the bytes of the body from the beginning of `buffer` into the body, until the body has `limit` bytes. The
    /// buffer may end anywhere.
    mutating func decode(_ buffer: inout [UInt8], limit: Int = .max) throws(RequestFailure) {
        while !isFinished, body.count < limit, try advance(&buffer, limit: limit) {}
    }

    /// Takes one step; returns `false` if it needs more bytes.
    private mutating func advance(_ buffer: inout [UInt8], limit: Int) throws(RequestFailure) -> Bool {
        switch expected {
        case .sized(let count):
            let missing = take(count, from: &buffer, limit: limit)
            expected = missing == 0 ? .nothing : .sized(missing)
            return missing == 0
        case .chunkSize:
            guard let line = try takeLine(from: &buffer) else { return false }
            let size = try chunkSize(of: line)
            expected = size == 0 ? .trailer : .chunk(size)
        case .chunk(let count):
            let missing = take(count, from: &buffer, limit: limit)
            expected = missing == 0 ? .chunkEnd : .chunk(missing)
            return missing == 0
        case .chunkEnd:
            guard let line = try takeLine(from: &buffer) else { return false }
            guard line.isEmpty else { throw .malformed("chunk") }
            expected = .chunkSize
        case .trailer:
            guard let line = try takeLine(from: &buffer) else { return false }
            if line.isEmpty {
                expected = .nothing
            } else {
                guard let colon = line.firstIndex(of: ":") else { throw .malformed("trailer") }
                let value = line[line.index(after: colon)...].trimmingCharacters(in: .whitespaces)
                trailers.add(String(line[..<colon]), value)
            }
        case .nothing:
            return false
        }
        return true
    }

    /// Moves up to `count` bytes into the body; returns the number of missing bytes.
    private mutating func take(_ count: Int, from buffer: inout [UInt8], limit: Int) -> Int {
        let available = min(count, buffer.count, limit - body.count)
        body.append(contentsOf: buffer[..<available])
        buffer.removeFirst(available)
        return count - available
    }

    /// Takes the next line without its end, which may be CR LF or LF; returns `nil` if it is incomplete.
    private func takeLine(from buffer: inout [UInt8]) throws(RequestFailure) -> String? {
        guard let end = buffer.prefix(Self.maximumLineLength).firstIndex(of: UInt8(ascii: "\n")) else {
            guard buffer.count < Self.maximumLineLength else { throw .malformed("chunk: its line is too long") }
            return nil
        }
        let line = buffer[..<end]
        let text = String(decoding: line.last == UInt8(ascii: "\r") ? line.dropLast() : line, as: UTF8.self)
        buffer.removeFirst(end + 1)
        return text
    }

    /// The size in the first line of a chunk; chunk extensions are ignored.
    private func chunkSize(of line: String) throws(RequestFailure) -> Int {
        let digits = line.prefix { $0 != ";" }.trimmingCharacters(in: .whitespaces)
        guard digits.allSatisfy(\.isHexDigit), let size = Int(digits, radix: 16) else { throw .malformed("chunk size") }
        guard size <= maximumSize - body.count else { throw .bodyTooLarge }
        return size
    }
}
