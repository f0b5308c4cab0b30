import Errand

/// Requests the metadata of an object, without the object.
///
/// A missing object fails with the status 404 and without a payload: the response has no document.
final class HeadObject: ObjectStorageAPI, Request {
    init(_ key: ObjectKey, in bucket: Bucket) {
        super.init(bucket, key: key)
        method = .head
        headers[.accept] = nil
    }

    func start() -> Pipeline<ObjectMetadata, any Error> {
        sendRequest().map { ObjectMetadata($0.headers) }
    }
}
