import Errand

/// Downloads an object unless the caller already has this version (RFC 9110, section 13.1.2).
final class GetObjectIfChanged: ObjectStorageAPI, Request {
    /// - Parameter etag: The tag of that version, with its quotes.
    init(_ key: ObjectKey, from etag: String, in bucket: Bucket) {
        super.init(bucket, key: key)
        headers[.accept] = nil
        headers[.ifNoneMatch] = etag
        acceptedStatusCodes?.insert(304)
    }

    /// The object; `nil` if it has not changed.
    func start() -> Pipeline<StoredObject?, any Error> {
        sendRequest().map { $0.statusCode == 304 ? nil : StoredObject($0) }
    }
}
