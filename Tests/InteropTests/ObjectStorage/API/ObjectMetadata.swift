import Errand

/// The metadata of an object.
struct ObjectMetadata: Hashable, Sendable {
    /// The entity tag of this version, with its quotes, as `If-None-Match` and `If-Match` expect it.
    var etag: String?
    var contentType: ContentType?
    var lastModified: Date?
    /// The length of the body: that of the object, or of the requested range.
    var byteCount: Int?
    /// The user-defined metadata (`x-amz-meta-…`), by name in lowercase.
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

/// An object, or the requested range of it.
struct StoredObject: Sendable {
    var data: Data
    var metadata: ObjectMetadata

    init(_ response: DataResponse) {
        data = response.data
        metadata = ObjectMetadata(response.headers)
    }
}
