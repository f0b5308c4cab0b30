import Errand

/// Stores an object, and replaces one with the same key.
///
/// ```swift
/// let request = PutObject("2026/spring.jpg", .file(file), in: bucket)
/// for await now in request.uploadProgress { … }
/// ```
///
/// A body that fails stores nothing. The body can be of any kind whose length is known; for many megabytes, use
/// ``MultipartUpload``.
final class PutObject: ObjectStorageAPI, Request {
    /// - Parameters:
    ///   - metadata: The user-defined metadata: names without the prefix, and values in ASCII.
    ///   - ifMatch: The required entity tag of the stored object; `nil` for any object or none.
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

/// The store's result for a stored object.
struct StoredVersion: Hashable, Sendable {
    /// The entity tag of this version, with its quotes.
    var etag: String?

    init(etag: String?) {
        self.etag = etag
    }

    init(_ headers: HeaderFields) {
        self.init(etag: headers[.etag])
    }
}
