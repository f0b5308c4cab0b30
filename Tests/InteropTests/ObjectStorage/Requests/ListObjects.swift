import Errand

/// A page of the list of a bucket's objects, in the order of their keys (ListObjectsV2).
///
/// ```swift
/// for try await object in bucket.objects(withPrefix: "2026/").items { print(object.key, object.byteCount) }
/// ```
final class ListObjects: ObjectStorageAPI, Request {
    /// - Parameters:
    ///   - prefix: The prefix of the keys.
    ///   - delimiter: The end of a group: with a slash, the list contains folders instead of the objects in them.
    init(in bucket: Bucket, prefix: String? = nil, delimiter: String? = nil) {
        super.init(bucket)
        query = ["list-type": 2, "prefix": prefix, "delimiter": delimiter]
    }

    func start() -> Pipeline<ObjectList, any Error> {
        sendRequest().decode(ObjectList.self, decoder: XMLDocumentDecoder(root: "ListBucketResult"))
    }
}

extension Bucket {
    /// All objects whose keys have this prefix, page by page.
    ///
    /// - Parameter pageSize: The size of a page, at most 1,000; `nil` for the store's default.
    func objects(
        withPrefix prefix: String? = nil, delimiter: String? = nil, pageSize: Int? = nil
    ) -> Pages<ObjectList> {
        let style = PaginationStyle.cursor(
            limit: pageSize, cursorName: "continuation-token", limitName: "max-keys")
        return Pages(style, prefetch: true) { _ in ListObjects(in: self, prefix: prefix, delimiter: delimiter) }
    }
}

/// A page of a list.
struct ObjectList: Decodable, CursorPage, Hashable, Sendable {
    var objects: [ListedObject]
    var folders: [Folder]
    /// The cursor of the next page.
    var nextCursor: String?

    var pageItems: [ListedObject] { objects }

    /// The common prefix of keys up to a delimiter.
    struct Folder: Decodable, Hashable, Sendable {
        var prefix: String

        private enum CodingKeys: String, CodingKey { case prefix = "Prefix" }
    }

    private enum CodingKeys: String, CodingKey {
        case objects = "Contents"
        case folders = "CommonPrefixes"
        case nextCursor = "NextContinuationToken"
    }
}

/// An object in a list.
struct ListedObject: Decodable, Hashable, Sendable {
    var key: String
    var byteCount: Int64
    var etag: String?
    var lastModified: Date?

    private enum CodingKeys: String, CodingKey {
        case key = "Key"
        case byteCount = "Size"
        case etag = "ETag"
        case lastModified = "LastModified"
    }
}
