import Errand

/// Reads an object as it comes, however large it is.
final class StreamObject: ObjectStorageAPI, StreamingRequest {
    init(_ key: ObjectKey, in bucket: Bucket) {
        super.init(bucket, key: key)
        headers[.accept] = nil
    }

    func startStream() -> ResponseStream {
        sendStream()
    }
}
