#if canImport(CCurl)
/// The head of a response, built line by line. Informational heads (1xx) are skipped, except 101, which is an error:
/// a transfer asks for no other protocol. For WebSockets, see ``CurlWire``.
struct CurlHead {
    private(set) var statusCode = 0
    /// Whether the empty line that ends the head has arrived.
    private(set) var isWhole = false
    /// The maximum number of lines of the head, the trailers and informational heads together, which bounds the time to
    /// read them.
    static let maximumLineCount = 2_000
    /// The maximum number of bytes of the same lines.
    private let limit: Int
    /// The field lines of the current head.
    private var bytes: [UInt8] = []
    /// The number of bytes of all lines so far, also of trailers and informational heads.
    private var size = 0
    private var lineCount = 0
    /// The field lines of the trailers.
    private var trailing: [UInt8] = []

    init(limit: Int) {
        self.limit = limit
    }

    /// Whether the next line is a status line, of this head or of the one after an informational head.
    var expectsStatusLine: Bool { statusCode == 0 && !isWhole }

    /// Whether no line has arrived.
    var isEmpty: Bool { size == 0 }

    /// The reason why the head is an error; `nil` if none is known.
    var fault: String? {
        excess ?? (statusCode == 101 ? TransportFailure.unaskedUpgrade : nil)
    }

    /// The limit that the head exceeds, as the reason for a failure; `nil` if it exceeds none.
    private var excess: String? {
        if size > limit { return "the head of the response is longer than `maximumHeadSize`, \(limit) bytes" }
        if lineCount > Self.maximumLineCount {
            return "the head of the response has more than \(Self.maximumLineCount) lines"
        }
        return nil
    }

    private var block: FieldBlock { FieldBlock(bytes: bytes) }

    var fields: HeaderFields { HeaderFields(block) }

    /// The trailer fields after the body; `nil` without any.
    var trailers: HeaderFields? { trailing.isEmpty ? nil : HeaderFields(FieldBlock(bytes: trailing)) }

    /// The content codings of the body: see ``ContentCoding/list(_:)``.
    var contentCodings: [ContentCoding] {
        get throws(URLError) {
            guard let list = block.combinedValue(of: "Content-Encoding") else { return [] }
            return try ContentCoding.list(list)
        }
    }

    /// Whether the body is chunked, so that it marks its own end (RFC 9112, section 7.1).
    var isChunked: Bool {
        block.values(of: "Transfer-Encoding").contains { codings in
            // Empty elements of a list do not count (RFC 9110, section 5.6.1).
            codings.lowercased().split { ", \t".contains($0) }.last == "chunked"
        }
    }

    /// Whether libcurl reads the body as chunked. Before 8.18, libcurl reads only the first line of a folded field. No
    /// version reads a field with a space before its colon.
    var isChunkedForLibcurl: Bool {
        bytes.split(separator: UInt8(ascii: "\n")).contains { line in
            guard line.first == UInt8(ascii: "T") || line.first == UInt8(ascii: "t") else { return false }
            let field = String(decoding: line, as: UTF8.self).lowercased()
            return field.hasPrefix("transfer-encoding:") && field.contains("chunked")
        }
    }

    /// Whether the body has a transfer coding other than `chunked` and `identity`. libcurl does not undo it, and no
    /// server should send it, because the request does not ask for one (RFC 9110, section 10.1.4).
    var hasOtherTransferCoding: Bool {
        block.values(of: "Transfer-Encoding").flatMap { $0.split(separator: ",") }.contains {
            !["", "chunked", "identity"].contains($0.trimmingCharacters(in: .whitespaces).lowercased())
        }
    }

    /// The length of the body on the wire, in bytes.
    ///
    /// - Throws: `URLError` for a head with several different lengths, which can hide one response inside another. Also
    ///   for a length that is not a number or is too large (RFC 9112, section 6.3). In these cases, libcurl uses the
    ///   last length, the leading digits, or no length.
    var contentLength: Int? {
        get throws(URLError) {
            if let count = block.integer(of: "Content-Length") { return count }
            let values = block.values(of: "Content-Length")
            let counts = values.flatMap { $0.split(separator: ",") }.map { Self.count(in: $0) }
            guard counts.allSatisfy({ $0 != nil && $0 == counts.first }) else { throw URLError(.cannotParseResponse) }
            return counts.first ?? nil
        }
    }

    /// Adds a line, including its line end, to the head or to the trailers after the body.
    ///
    /// - Returns: Whether the line ends a head that is not informational.
    /// - Throws: `URLError` for a head that is too long or has an invalid status, and for a line that begins with CR,
    ///   which libcurl takes for the end of the head. Also for a field line without a colon, which libcurl before 7.85
    ///   accepts.
    mutating func add(_ line: UnsafeBufferPointer<UInt8>) throws(URLError) -> Bool {
        size += line.count
        lineCount += 1
        guard excess == nil else { throw URLError(.dataLengthExceedsMaximum) }
        let isBlank = line.first == UInt8(ascii: "\r") || line.first == UInt8(ascii: "\n")
        // A CR that does not belong to a line end is invalid (RFC 9112, section 2.2).
        if isBlank, line.contains(where: { $0 != UInt8(ascii: "\r") && $0 != UInt8(ascii: "\n") }) {
            throw URLError(.cannotParseResponse)
        }
        if statusCode == 0 {
            statusCode = try Self.status(of: line)
            return false
        }
        if isWhole {
            if !isBlank { try addTrailers(line) }
            return false
        }
        guard isBlank else {
            guard Self.isField(line[...]) else { throw URLError(.cannotParseResponse) }
            if bytes.isEmpty { bytes.reserveCapacity(512) }
            bytes.append(contentsOf: line)
            return false
        }
        if statusCode == 101 { throw URLError(.cannotParseResponse) }
        if 100..<200 ~= statusCode {
            statusCode = 0
            bytes = []
            return false
        }
        isWhole = true
        return true
    }

    /// Adds a trailer. Several come together, each with its line end, after a pause of the transfer (libcurl 7.76).
    private mutating func addTrailers(_ lines: UnsafeBufferPointer<UInt8>) throws(URLError) {
        guard lines.split(separator: UInt8(ascii: "\n")).allSatisfy(Self.isField) else {
            throw URLError(.cannotParseResponse)
        }
        trailing += lines
    }

    /// Whether a line is a field, or begins with white space and continues the one before it (RFC 9112, section 5.2).
    private static func isField(_ line: Slice<UnsafeBufferPointer<UInt8>>) -> Bool {
        line.first?.isBlank == true || line.contains(UInt8(ascii: ":"))
    }

    /// Returns the status from the three digits after the version (RFC 9112, section 4).
    ///
    /// libcurl checks the number of digits for HTTP/1. After `HTTP/2` it accepts any number of digits, even if HTTP/2
    /// was not negotiated. It accepts a lowercase `http` too, although the name is case-sensitive (RFC 9112, section
    /// 2.3).
    private static func status(of line: UnsafeBufferPointer<UInt8>) throws(URLError) -> Int {
        let digits = line.drop { $0 != 0x20 }.drop { $0 == 0x20 }.prefix(while: \.isDigit)
        guard line.starts(with: "HTTP/".utf8), digits.count == 3, digits.first != 0x30 else {
            throw URLError(.cannotParseResponse)
        }
        return digits.reduce(0) { $0 * 10 + Int($1 - 0x30) }
    }

    /// Returns a count that consists only of digits; `nil` for any other text and for a number that exceeds `Int`.
    private static func count(in text: Substring) -> Int? {
        let digits = text.trimmingCharacters(in: .whitespaces)
        return digits.utf8.allSatisfy(\.isDigit) ? Int(digits) : nil
    }
}
#endif
