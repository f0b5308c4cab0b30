/// The name of an entry's file: digests of the resource, the partition and the variant.
struct CacheFileName: CacheName {
    static let suffix = ".errand-cache"
    static let temporarySuffix = ".errand-cache-tmp"

    let text: String

    // Digested anew: a name is short and made of nothing but digits, also where a caller made the key.
    init(_ key: CacheKey, variant: String) {
        text = [
            Self.group(ofResource: key.resource), Self.short(key.partition), Self.short(variant) + Self.suffix,
        ].joined(separator: "-")
    }

    /// A name as a directory lists it; nil when it is not one of ours.
    init?(_ text: String) {
        let parts = text.dropLast(Self.suffix.count).split(separator: "-", omittingEmptySubsequences: false)
        guard text.hasSuffix(Self.suffix), parts.map(\.utf8.count) == [32, 16, 16],
            parts.joined().utf8.allSatisfy({ (0x30...0x39).contains($0) || (0x61...0x66).contains($0) })
        else { return nil }
        self.text = text
    }

    var group: String { String(text.prefix(32)) }

    /// What the names of all files of a resource begin with.
    static func group(ofResource resource: String) -> String {
        String(SHA256.hexDigest(texts: [resource]).prefix(32))
    }

    /// What the names of all files of a key begin with.
    static func beginning(_ key: CacheKey) -> String {
        group(ofResource: key.resource) + "-" + short(key.partition) + "-"
    }

    /// The name under which the file is written, before it is whole; each time another.
    var temporary: String { "\(text.dropLast(Self.suffix.count))-\(UUID().uuidString)\(Self.temporarySuffix)" }

    private static func short(_ text: String) -> String {
        String(SHA256.hexDigest(texts: [text]).prefix(16))
    }
}
