#if canImport(CCurl)
/// The head of an answer as its lines come in; informational ones (1xx) are passed over.
struct CurlHead {
    private(set) var statusCode = 0
    /// Whether the empty line has come that ends the head.
    private(set) var isWhole = false
    /// Whether it leads elsewhere, so that its body is of no interest.
    var isRedirect = false
    /// Whether the content coding is to be undone: not where the caller asked for one.
    var isDecoded = false
    private let limit: Int
    private var bytes: [UInt8] = []
    private var size = 0

    init(limit: Int) {
        self.limit = limit
    }

    /// Whether not a line of it has come.
    var isEmpty: Bool { size == 0 }

    private var block: FieldBlock { FieldBlock(bytes: bytes) }

    var fields: HeaderFields { HeaderFields(block) }

    /// The coding that is to be undone.
    ///
    /// - Throws: `URLError` for a list of more than five codings: nobody means that, and libcurl refuses it too.
    var contentEncoding: String? {
        get throws(URLError) {
            guard isDecoded, let list = HeaderFields.combined(block.values(of: "Content-Encoding")) else { return nil }
            let codings = list.utf8.split(separator: UInt8(ascii: ",")).count {
                $0.contains { $0 != 0x20 && $0 != 0x09 }
            }
            guard codings <= 5 else { throw URLError(.cannotDecodeContentData) }
            return list
        }
    }

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

    /// Adds a line with its line end.
    ///
    /// - Returns: Whether it ended a head that is not informational.
    /// - Throws: `URLError` for a head that is too long, or whose status is none.
    mutating func add(_ line: UnsafeBufferPointer<UInt8>) throws(URLError) -> Bool {
        size += line.count
        guard size <= limit else { throw URLError(.dataLengthExceedsMaximum) }
        if isWhole { return false }
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
        size = 0
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
