import Errand

/// Copies an object inside the store.
final class CopyObject: ObjectStorageAPI, Request {
    /// - Parameter source: The bucket of the original; `nil` for the same bucket.
    init(_ original: ObjectKey, to key: ObjectKey, in bucket: Bucket, from source: Bucket? = nil) {
        super.init(bucket, key: key)
        method = .put
        headers["X-Amz-Copy-Source"] = "\((source ?? bucket).path)\(original.path)"
    }

    func start() -> Pipeline<CopiedObject, any Error> {
        sendRequest().failingForErrorDocument()
            .decode(CopiedObject.self, decoder: XMLDocumentDecoder(root: "CopyObjectResult"))
    }
}

/// The store's result of a copy.
struct CopiedObject: Decodable, Hashable, Sendable {
    var etag: String
    var lastModified: Date?

    private enum CodingKeys: String, CodingKey {
        case etag = "ETag"
        case lastModified = "LastModified"
    }
}
