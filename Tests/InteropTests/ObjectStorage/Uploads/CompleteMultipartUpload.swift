import Errand

/// Completes a multipart upload, which makes an object of the parts.
final class CompleteMultipartUpload: ObjectStorageAPI, Request {
    init(_ upload: UploadID, of parts: [UploadedPart], key: ObjectKey, in bucket: Bucket) {
        super.init(bucket, key: key)
        method = .post
        query = ["uploadId": upload]
        body = .encoded(type: .xml) {
            let lines = try parts.sorted { $0.number < $1.number }.map { part in
                try "<Part><PartNumber>\(part.number)</PartNumber>\(XMLText.element("ETag", part.etag))</Part>"
            }
            return XMLText.document("CompleteMultipartUpload", lines.joined())
        }
    }

    func start() -> Pipeline<StoredVersion, any Error> {
        sendRequest().failingForErrorDocument()
            .decode(CompletedUpload.self, decoder: XMLDocumentDecoder(root: "CompleteMultipartUploadResult"))
            .map { StoredVersion(etag: $0.etag) }
    }
}

private struct CompletedUpload: Decodable, Sendable {
    var etag: String

    private enum CodingKeys: String, CodingKey { case etag = "ETag" }
}
