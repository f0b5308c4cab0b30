/// The file format of an entry: a prefix of 32 bytes, a head as JSON, and the body.
///
/// ```
/// offset  0  8 bytes   "ErrCache"
///         8  4 bytes   version, 1
///        12  4 bytes   byte count of the head
///        16  8 bytes   byte count of the body
///        24  8 bytes   checksum of version, counts, head and body, FNV-1a
/// ```
///
/// Numbers are big-endian. A file that differs from this format in any byte is not an entry.
enum CacheFile {
    static let version: UInt32 = 1
    static let prefixCount = 32
    private static let magic = Array("ErrCache".utf8)

    private struct Head: Codable {
        var resource: String
        var partition: String
        var variant: String
        var statusCode: Int
        var fields: [[String]]
        var requestDate: Double
        var responseDate: Double
    }

    /// Encodes the file of an entry.
    static func encode(_ entry: CacheEntry, for key: CacheKey) throws -> Data {
        let head = try FastJSONEncoder().encode(
            Head(
                resource: key.resource, partition: key.partition, variant: entry.variant,
                statusCode: entry.statusCode, fields: entry.headers.map { [$0.name, $0.value] },
                requestDate: entry.requestDate.timeIntervalSince1970,
                responseDate: entry.responseDate.timeIntervalSince1970))
        guard let headCount = UInt32(exactly: head.count) else { throw CocoaError(.coderInvalidValue) }
        let counts = bigEndian(version) + bigEndian(headCount) + bigEndian(UInt64(entry.body.count))
        let checksum = checksum([Data(counts), head, entry.body])
        var file = Data(capacity: prefixCount + head.count + entry.body.count)
        file.append(contentsOf: magic + counts + bigEndian(checksum))
        file.append(head)
        file.append(entry.body)
        return file
    }

    /// Decodes the entry in a file; `nil` if the file is not a complete entry, or belongs to another key.
    static func decode(_ file: Data, for key: CacheKey) -> CacheEntry? {
        // The offsets of the format are indices, so the data must begin at index 0.
        let file = file.startIndex == 0 ? file : Data(file)
        guard file.count >= prefixCount, file.prefix(8).elementsEqual(magic),
            number(file[8..<12]) == UInt64(version), let headCount = Int(exactly: number(file[12..<16])),
            let bodyCount = Int(exactly: number(file[16..<24])),
            headCount <= file.count - prefixCount, bodyCount == file.count - prefixCount - headCount
        else { return nil }
        let headData = file[prefixCount..<prefixCount + headCount]
        let body = file[(prefixCount + headCount)...]
        guard number(file[24..<32]) == checksum([file[8..<24], headData, body]),
            let head = try? FastJSONDecoder().decode(Head.self, from: Data(headData)),
            head.resource == key.resource, head.partition == key.partition,
            (200...599).contains(head.statusCode), head.fields.allSatisfy({ $0.count == 2 })
        else { return nil }
        return CacheEntry(
            statusCode: head.statusCode, headers: HeaderFields(head.fields.map { HeaderFields.Field($0[0], $0[1]) }),
            body: Data(body), requestDate: Date(timeIntervalSince1970: head.requestDate),
            responseDate: Date(timeIntervalSince1970: head.responseDate), variant: head.variant)
    }

    /// Returns the FNV-1a hash of 64 bits; the two numbers are its offset basis and its prime.
    private static func checksum(_ pieces: [Data]) -> UInt64 {
        pieces.reduce(0xcbf2_9ce4_8422_2325) { hash, piece in
            piece.withUnsafeBytes { bytes in
                var hash = hash
                for byte in bytes { hash = (hash ^ UInt64(byte)) &* 0x100_0000_01b3 }
                return hash
            }
        }
    }

    private static func bigEndian(_ number: some FixedWidthInteger) -> [UInt8] {
        withUnsafeBytes(of: number.bigEndian) { Array($0) }
    }

    private static func number(_ bytes: Data) -> UInt64 {
        bytes.reduce(0) { $0 << 8 | UInt64($1) }
    }
}

/// The file name of an entry: digests of the resource, the partition and the variant.
struct CacheFileName: CacheName {
    static let suffix = ".errand-cache"
    static let temporarySuffix = ".errand-cache-tmp"

    let text: String

    // The digests in the key are hashed again, so that a name is short and has only hexadecimal digits, even if a
    // caller created the key.
    init(_ key: CacheKey, variant: String) {
        text = [
            Self.group(ofResource: key.resource), Self.shortDigest(key.partition),
            Self.shortDigest(variant) + Self.suffix,
        ].joined(separator: "-")
    }

    /// Parses a name from a directory; `nil` if it is not the name of an entry.
    init?(_ text: String) {
        let parts = text.dropLast(Self.suffix.count).split(separator: "-", omittingEmptySubsequences: false)
        guard text.hasSuffix(Self.suffix), parts.map(\.utf8.count) == [32, 16, 16],
            parts.joined().utf8.allSatisfy({ (0x30...0x39).contains($0) || (0x61...0x66).contains($0) })
        else { return nil }
        self.text = text
    }

    var group: String { String(text.prefix(32)) }

    /// Returns the common prefix of the names of all files of a resource.
    static func group(ofResource resource: String) -> String {
        String(SHA256.hexDigest(texts: [resource]).prefix(32))
    }

    /// Returns the common prefix of the names of all files of a key.
    static func commonPrefix(of key: CacheKey) -> String {
        group(ofResource: key.resource) + "-" + shortDigest(key.partition) + "-"
    }

    /// The unique name of the file while it is being written.
    var temporary: String { "\(text.dropLast(Self.suffix.count))-\(UUID().uuidString)\(Self.temporarySuffix)" }

    private static func shortDigest(_ text: String) -> String {
        String(SHA256.hexDigest(texts: [text]).prefix(16))
    }
}
