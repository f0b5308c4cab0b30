import Errand

/// Copies an object, which does not leave the store for it.
final class CopyObject: ObjectStorageAPI, Request {
    /// - Parameter source: Where the original is; nil for the same bucket.
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

/// What a store says of a copy.
struct CopiedObject: Decodable, Hashable, Sendable {
    var etag: String
    var lastModified: Date?

    private enum CodingKeys: String, CodingKey {
        case etag = "ETag"
        case lastModified = "LastModified"
    }
}
