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
    /// The directives of `Cache-Control`, parsed once.
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
        // The system allocates no memory for a body of at most 14 bytes, and none for a text of at most 15.
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
        guard !value.contains("\"") else { return value }
        let text = fieldsWithoutCase.contains(name) ? value.lowercased() : value
        return text.split(separator: ",", omittingEmptySubsequences: false).map { item in
            item.split(separator: ";", omittingEmptySubsequences: false)
                .map { $0.trimmingCharacters(in: .whitespaces) }.joined(separator: ";")
        }.joined(separator: ",")
    }
}

extension CacheEntry: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
    /// The status and the size.
    public var description: String { "\(statusCode) (\(body.count) bytes)" }
    /// The same as ``description``.
    public var debugDescription: String { description }
    /// A mirror with only the description, so that `dump` shows no header value and no body.
    public var customMirror: Mirror { Mirror(self, children: ["description": description]) }
}
