import Errand

/// Stores an object, in place of one that has the key already.
///
/// ```swift
/// let request = PutObject("2026/spring.jpg", .file(file), in: bucket)
/// for await now in request.uploadProgress { … }
/// ```
///
/// A body that breaks off stores nothing. Any body will do whose length is known; for one of many megabytes there is
/// ``MultipartUpload``.
final class PutObject: ObjectStorageAPI, Request {
    /// - Parameters:
    ///   - metadata: The caller's own, which goes with the object: names without the prefix, and values in ASCII.
    ///   - ifMatch: The tag that the object has to have; nil for any, and for none.
    init(
        _ key: ObjectKey, _ body: RequestBody, in bucket: Bucket, metadata: [String: String] = [:],
        ifMatch: String? = nil
    ) {
        super.init(bucket, key: key)
        method = .put
        self.body = body
        headers[.ifMatch] = ifMatch
        for (name, value) in metadata.sorted(by: { $0.key < $1.key }) {
            headers["\(ObjectMetadata.prefix)\(name)"] = value
        }
    }

    func start() -> Pipeline<StoredVersion, any Error> {
        sendRequest().map { StoredVersion($0.headers) }
    }
}

/// What a store says of an object that it has taken.
struct StoredVersion: Hashable, Sendable {
    /// What tells this version from others, with its quotes.
    var etag: String?

    init(etag: String?) {
        self.etag = etag
    }

    init(_ headers: HeaderFields) {
        self.init(etag: headers[.etag])
    }
}
