import Errand

/// Fetches an object unless it is the version that the caller has (RFC 9110, section 13.1.2).
final class GetObjectIfChanged: ObjectStorageAPI, Request {
    /// - Parameter etag: The tag of that version, with its quotes.
    init(_ key: ObjectKey, from etag: String, in bucket: Bucket) {
        super.init(bucket, key: key)
        headers[.accept] = nil
        headers[.ifNoneMatch] = etag
        acceptedStatusCodes?.insert(304)
    }

    /// Nil where the object is as it was.
    func start() -> Pipeline<StoredObject?, any Error> {
        sendRequest().map { $0.statusCode == 304 ? nil : StoredObject($0) }
    }
}
