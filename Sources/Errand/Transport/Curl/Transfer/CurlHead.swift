#if canImport(CCurl)
/// The head of an answer as its lines come in; informational ones (1xx) are passed over.
struct CurlHead {
    private(set) var statusCode = 0
    /// Whether the empty line has come that ends the head.
    private(set) var isWhole = false
    /// The most lines of a head and of the trailers, so that reading them takes little time.
    static let maximumLineCount = 2_000
    private let limit: Int
    private var bytes: [UInt8] = []
    private var size = 0
    private var lineCount = 0
    private var trailing: [UInt8] = []

    init(limit: Int) {
        self.limit = limit
    }

    /// Whether not a line of it has come.
    var isEmpty: Bool { size == 0 }

    private var block: FieldBlock { FieldBlock(bytes: bytes) }

    var fields: HeaderFields { HeaderFields(block) }

    /// The fields behind the body; nil for none.
    var trailers: HeaderFields? { trailing.isEmpty ? nil : HeaderFields(FieldBlock(bytes: trailing)) }

    /// The coding of the body.
    ///
    /// - Throws: `URLError` for a list of more than five codings: nobody means that, and libcurl refuses it too.
    var contentEncoding: String? {
        get throws(URLError) {
            guard let list = HeaderFields.combined(block.values(of: "Content-Encoding")) else { return nil }
            let codings = list.utf8.split(separator: UInt8(ascii: ",")).count {
                $0.contains { $0 != 0x20 && $0 != 0x09 }
            }
            guard codings <= 5 else { throw URLError(.cannotDecodeContentData) }
            return list
        }
    }

    /// Whether the body tells its own end (RFC 9112, section 7.1).
    var isChunked: Bool { block.values(of: "Transfer-Encoding").contains { $0.lowercased().hasSuffix("chunked") } }

    /// How many bytes follow, as they are on the wire.
    ///
    /// - Throws: `URLError` for a head that says more than one length, which hides one answer in another, or one that is no
    ///   number or too large (RFC 9112, section 6.3). libcurl takes the last, the digits that it begins with, or none.
    var contentLength: Int? {
        get throws(URLError) {
            if let count = block.count(of: "Content-Length") { return count }
            let values = block.values(of: "Content-Length")
            let counts = values.flatMap { $0.split(separator: ",") }.map { Self.count(in: $0) }
            guard counts.allSatisfy({ $0 != nil && $0 == counts.first }) else { throw URLError(.cannotParseResponse) }
            return counts.first ?? nil
        }
    }

    /// Adds a line with its line end: of the head, or of the trailers behind the body.
    ///
    /// - Returns: Whether it ended a head that is not informational.
    /// - Throws: `URLError` for a head that is too long, or whose status is none.
    mutating func add(_ line: UnsafeBufferPointer<UInt8>) throws(URLError) -> Bool {
        size += line.count
        lineCount += 1
        guard size <= limit, lineCount <= Self.maximumLineCount else { throw URLError(.dataLengthExceedsMaximum) }
        if isWhole {
            if let first = line.first, first != UInt8(ascii: "\r"), first != UInt8(ascii: "\n") { trailing += line }
            return false
        }
        if bytes.isEmpty, statusCode == 0 {
            statusCode = try Self.status(of: line)
            return false
        }
        guard line.first == UInt8(ascii: "\r") || line.first == UInt8(ascii: "\n") else {
            if bytes.isEmpty { bytes.reserveCapacity(512) }
            bytes.append(contentsOf: line)
            return false
        }
        if 100..<200 ~= statusCode, statusCode != 101 {
            statusCode = 0
            bytes = []
            return false
        }
        isWhole = true
        return true
    }

    /// Forgets the head that has come: another follows.
    mutating func beginAgain() {
        statusCode = 0
        isWhole = false
        bytes = []
        trailing = []
        size = 0
        lineCount = 0
    }

    /// The three digits behind the version (RFC 9112, section 4).
    ///
    /// libcurl counts them for HTTP/1, but takes any number of digits behind an `HTTP/2`, also where nobody agreed on that.
    private static func status(of line: UnsafeBufferPointer<UInt8>) throws(URLError) -> Int {
        let digits = line.drop { $0 != 0x20 }.drop { $0 == 0x20 }.prefix { 0x30...0x39 ~= $0 }
        guard digits.count == 3, digits.first != 0x30 else { throw URLError(.cannotParseResponse) }
        return digits.reduce(0) { $0 * 10 + Int($1 - 0x30) }
    }

    /// A count in digits alone; nil for any other text, and for more than there are integers.
    private static func count(in text: Substring) -> Int? {
        let digits = text.trimmingCharacters(in: .whitespaces)
        return digits.utf8.allSatisfy { 0x30...0x39 ~= $0 } ? Int(digits) : nil
    }
}
#endif
