/// The storage of the responses of an ``HTTPCache``.
///
/// A store never fails a request. An entry that it cannot read counts as missing, and one that it cannot write is not
/// stored. It may discard any entry, for example to limit its size. ``MemoryCacheStore`` and ``DiskCacheStore`` are
/// stores. The methods of a custom store may be called from many tasks at the same time.
public protocol CacheStore: Sendable {
    /// Returns all entries of a key: one for each variant, in any order.
    func entries(for key: CacheKey) async -> [CacheEntry]
    /// Stores an entry, or replaces the one of the same key and variant. If this fails, the old one is removed.
    func store(_ entry: CacheEntry, for key: CacheKey) async
    /// Removes the entry of one variant.
    func removeEntry(ofVariant variant: String, for key: CacheKey) async
    /// Removes all entries of a resource, in every partition.
    func removeEntries(ofResource resource: String) async
    /// Removes all entries.
    func removeAll() async
}

/// A stored response.
public struct CacheEntry: Hashable, Sendable {
    /// The status code.
    public var statusCode: Int
    /// The header fields; never `Set-Cookie`.
    public var headers: HeaderFields { didSet { directives = CacheControl(headers["Cache-Control"]) } }
    /// The body, after decompression.
    public var body: Data
    /// The time when the request for this response, or the last successful revalidation, was sent.
    public var requestDate: Date
    /// The time when the response to that request arrived.
    public var responseDate: Date
    /// The variant of the resource: a digest of the request's fields that `Vary` names (RFC 9111, section 4.1).
    ///
    /// A key has one entry for each variant.
    public var variant: String
    /// The directives of `Cache-Control`, parsed whenever ``headers`` is set.
    private(set) var directives: CacheControl

    /// Creates an entry from the values that a store has saved.
    public init(
        statusCode: Int, headers: HeaderFields, body: Data, requestDate: Date, responseDate: Date, variant: String
    ) {
        self.statusCode = statusCode
        self.headers = headers
        self.body = body
        self.requestDate = requestDate
        self.responseDate = responseDate
        self.variant = variant
        directives = CacheControl(headers["Cache-Control"])
    }

    /// The approximate size in bytes that the entry has in memory, with its key and its place in a store.
    public var byteCount: Int {
        // The system allocates no memory for a body of at most 14 bytes, and none for a text of at most 15. A larger
        // body has an overhead of 128 bytes, and a larger text one of 48 bytes. A field without texts has 64 bytes.
        let content = body.count > 14 ? body.count &+ 128 : 0
        return headers.reduce(Self.fixedByteCount &+ content) { sum, field in
            [field.name, field.value].reduce(sum &+ 64) { $1.utf8.count > 15 ? $0 &+ $1.utf8.count &+ 48 : $0 }
        }
    }

    /// The measured size of an entry without header fields and body: mostly three digests as text, and the tables of
    /// ``MemoryCacheStore``.
    private static let fixedByteCount = 1_200

    /// Returns `true` if the entry may be the response to a request: the fields that `Vary` names are equal.
    func isSelected(by request: URLRequest) -> Bool {
        variant == Self.variant(of: request, varyingBy: headers)
    }

    /// Returns the digest of a request's fields that a response's `Vary` names.
    static func variant(of request: URLRequest, varyingBy headers: HeaderFields) -> String {
        let names = CacheStoring.varyNames(headers)
        // "some" and "none" distinguish every value from a missing field.
        return SHA256.hexDigest(
            texts: names.flatMap { name in
                let value = request.value(forHTTPHeaderField: name)
                return [name] + (value.map { ["some", normalized($0, of: name)] } ?? ["none"])
            })
    }

    /// The fields in whose values case is not significant (RFC 9110, section 12.5).
    private static let fieldsWithoutCase: Set<String> = [
        "accept", "accept-charset", "accept-encoding", "accept-language",
    ]

    /// Returns a value in the form in which it is compared (RFC 9111, section 4.1).
    ///
    /// The space around the delimiters of a list is not significant (RFC 9110, section 5.6). The order is kept, because
    /// some servers use it.
    private static func normalized(_ value: String, of name: String) -> String {
        // In a quoted string, case, spaces and delimiters are significant.
        guard !value.contains("\"") else { return value }
        let text = fieldsWithoutCase.contains(name) ? value.lowercased() : value
        return text.split(separator: ",", omittingEmptySubsequences: false).map { item in
            item.split(separator: ";", omittingEmptySubsequences: false)
                .map { $0.trimmingCharacters(in: .whitespaces) }.joined(separator: ";")
        }.joined(separator: ",")
    }
}

extension CacheEntry {
    /// Returns an entry with the partial response to a range of bytes (RFC 9110, section 14.1.2); `nil` if the server
    /// must decide. It must if a content coding was removed, because positions in the stored bytes then differ.
    func part(_ range: ByteRange) -> CacheEntry? {
        let count = Int64(body.count)
        guard statusCode == 200, headers["Content-Encoding"] == nil else { return nil }
        let (begin, end) =
            switch range {
            case .bytes(let positions): (positions.lowerBound, min(positions.upperBound, count - 1))
            case .from(let first): (first, count - 1)
            case .last(let length): (max(count - length, 0), count - 1)
            }
        guard begin <= end else { return nil }
        var part = self
        part.statusCode = 206
        part.body = body.subdata(in: body.startIndex + Int(begin)..<body.startIndex + Int(end) + 1)
        // The entry parses its directives each time its fields are set.
        var headers = headers
        headers["Content-Range"] = "bytes \(begin)-\(end)/\(count)"
        headers["Content-Length"] = "\(part.body.count)"
        part.headers = headers
        return part
    }
}

extension CacheEntry: Confidential {
    /// The status and the size.
    public var description: String { "\(statusCode) (\(body.count) bytes)" }
}

/// The key of stored responses: the resource and the user.
///
/// Both are digests (SHA-256, 64 hexadecimal digits), so that a store receives neither URLs nor credentials.
public struct CacheKey: Hashable, Sendable {
    /// The digest of the URL, without fragment and user info.
    public let resource: String
    /// The digest of the values that separate one user's responses from another's.
    public let partition: String

    /// Creates a key from the values that a store has saved.
    public init(resource: String, partition: String) {
        self.resource = resource
        self.partition = partition
    }

    /// Creates the key of a request.
    ///
    /// - Parameter partition: A text that identifies the user. `nil` uses the ``TransportRequest/userTexts``.
    init(_ request: TransportRequest, url: URL, partition: String?) {
        resource = Self.resource(of: url)
        // The first text distinguishes a named partition from the request's own values.
        self.partition = SHA256.hexDigest(texts: partition.map { ["named", $0] } ?? ["shown"] + request.userTexts)
    }

    /// Returns the digest of a URL. It is equal for URLs that differ only in the case of the scheme or the host, in the
    /// default port or an empty path (RFC 9110, section 4.2.3), or in the fragment or the user info.
    static func resource(of url: URL) -> String {
        SHA256.hexDigest(texts: [normalized(url)])
    }

    /// Returns `true` if both URLs are the same resource.
    static func isSame(_ one: URL, _ other: URL) -> Bool {
        one == other || normalized(one) == normalized(other)
    }

    private static func normalized(_ url: URL) -> String {
        guard var components = URLComponents(url: url, resolvingAgainstBaseURL: true) else { return url.absoluteString }
        components.scheme = components.scheme?.lowercased()
        components.percentEncodedHost = components.percentEncodedHost?.lowercased()
        components.user = nil
        components.password = nil
        components.fragment = nil
        if components.port == (components.scheme == "https" ? 443 : 80) { components.port = nil }
        if components.percentEncodedPath.isEmpty { components.percentEncodedPath = "/" }
        return components.string ?? url.absoluteString
    }
}
