import Errand

/// Downloads an object into a file, which exists only when it is complete. An interrupted download is resumed.
final class DownloadObject: ObjectStorageAPI, Request {
    private let target: URL
    private let digest: FileDigest?

    /// - Parameter digest: The expected digest of the object, if the caller knows it. An entity tag is not a digest:
    ///   after a multipart upload, it is a hash of hashes.
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
