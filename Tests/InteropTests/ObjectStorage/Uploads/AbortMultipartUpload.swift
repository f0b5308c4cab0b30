import Errand

/// Aborts a multipart upload, and deletes its parts.
final class AbortMultipartUpload: ObjectStorageAPI, Request {
    init(_ upload: UploadID, key: ObjectKey, in bucket: Bucket) {
        super.init(bucket, key: key)
        method = .delete
        query = ["uploadId": upload]
        // A caller that cancels an upload waits for this response.
        resourceTimeout = .seconds(10)
    }

    func start() -> Pipeline<Void, any Error> {
        sendRequest().decodeVoid()
    }
}
