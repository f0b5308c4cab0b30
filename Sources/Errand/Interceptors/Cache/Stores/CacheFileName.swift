/// The file name of an entry: digests of the resource, the partition and the variant.
struct CacheFileName: CacheName {
    static let suffix = ".errand-cache"
    static let temporarySuffix = ".errand-cache-tmp"

    let text: String

    // The values are hashed again, so that a name is short and has only hexadecimal digits, even if a caller created
    // the key.
    init(_ key: CacheKey, variant: String) {
        text = [
            Self.group(ofResource: key.resource), Self.short(key.partition), Self.short(variant) + Self.suffix,
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
    static func beginning(_ key: CacheKey) -> String {
        group(ofResource: key.resource) + "-" + short(key.partition) + "-"
    }

    /// The unique name of the file while it is being written.
    var temporary: String { "\(text.dropLast(Self.suffix.count))-\(UUID().uuidString)\(Self.temporarySuffix)" }

    private static func short(_ text: String) -> String {
        String(SHA256.hexDigest(texts: [text]).prefix(16))
    }
}
