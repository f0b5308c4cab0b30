import Errand

/// Downloads an object into a file, which is complete or missing; an interrupted run is resumed.
final class DownloadObject: ObjectStorageAPI, Request {
    private let target: URL
    private let digest: FileDigest?

    /// - Parameter digest: What the object hashes to, where that is known from somewhere else. A tag is no digest: that
    ///   of a multipart upload hashes hashes.
    init(_ key: ObjectKey, to target: URL, digest: FileDigest? = nil, in bucket: Bucket) {
        self.target = target
        self.digest = digest
        super.init(bucket, key: key)
        headers[.accept] = nil
    }

    func start() -> Pipeline<DownloadedFile, any Error> {
        sendDownload(to: target, digest: digest)
    }
}
