import Errand

/// Removes an object. One that is not there is as good as removed.
final class DeleteObject: ObjectStorageAPI, Request {
    init(_ key: ObjectKey, in bucket: Bucket) {
        super.init(bucket, key: key)
        method = .delete
    }

    func start() -> Pipeline<Void, any Error> {
        sendRequest().decodeVoid()
    }
}
