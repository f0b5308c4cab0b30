import Errand

/// What a store knows of an object, without the object.
///
/// One that is not there fails with the status 404, and without a payload: such an answer has no document.
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
