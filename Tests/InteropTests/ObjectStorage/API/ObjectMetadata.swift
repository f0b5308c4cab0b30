import Errand

/// What a store knows of an object besides its bytes.
struct ObjectMetadata: Hashable, Sendable {
    /// What tells this version of the object from others, with its quotes, as `If-None-Match` and `If-Match` want it.
    var etag: String?
    var contentType: ContentType?
    var lastModified: Date?
    /// How many bytes the answer has: those of the object, or of the range that was asked for.
    var byteCount: Int?
    /// The caller's own (`x-amz-meta-…`), by name in small letters.
    var user: [String: String]

    init(_ headers: HeaderFields) {
        etag = headers[.etag]
        contentType = headers[.contentType].flatMap { ContentType($0) }
        lastModified = headers[.lastModified].flatMap { HTTPDate($0, now: Date())?.date }
        byteCount = headers[.contentLength].flatMap { Int($0) }
        let pairs = headers.map { ($0.name.lowercased(), $0.value) }.filter { $0.0.hasPrefix(Self.prefix) }
        user = Dictionary(pairs.map { (String($0.0.dropFirst(Self.prefix.count)), $0.1) }) { "\($0), \($1)" }
    }

    /// The prefix of the names of ``user``.
    static let prefix = "x-amz-meta-"
}

/// An object, or the range of it that was asked for.
struct StoredObject: Sendable {
    var data: Data
    var metadata: ObjectMetadata

    init(_ response: DataResponse) {
        data = response.data
        metadata = ObjectMetadata(response.headers)
    }
}
