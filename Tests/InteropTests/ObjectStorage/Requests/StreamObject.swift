import Errand

/// Streams an object of any size.
final class StreamObject: ObjectStorageAPI, StreamingRequest {
    init(_ key: ObjectKey, in bucket: Bucket) {
        super.init(bucket, key: key)
        headers[.accept] = nil
    }

    func startStream() -> ResponseStream {
        sendStream()
    }
}
