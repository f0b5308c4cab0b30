import Errand

/// Deletes an object. Deleting a missing object succeeds.
final class DeleteObject: ObjectStorageAPI, Request {
    init(_ key: ObjectKey, in bucket: Bucket) {
        super.init(bucket, key: key)
        method = .delete
    }

    func start() -> Pipeline<Void, any Error> {
        sendRequest().decodeVoid()
    }
}
