import Errand

/// Begins a multipart upload. It exists, and costs money, until it is completed or aborted.
final class CreateMultipartUpload: ObjectStorageAPI, Request {
    init(_ key: ObjectKey, type: ContentType?, in bucket: Bucket) {
        super.init(bucket, key: key)
        method = .post
        query = ["uploads": ""]
        headers[.contentType] = type?.description
        // A caller that cancels an upload waits for this response.
        resourceTimeout = .seconds(30)
    }

    func start() -> Pipeline<UploadID, any Error> {
        sendRequest().decode(BegunUpload.self, decoder: XMLDocumentDecoder(root: "InitiateMultipartUploadResult"))
            .map(\.id)
    }
}

/// The identifier of a multipart upload.
typealias UploadID = String

/// An upload that is neither completed nor aborted.
struct BegunUpload: Decodable, Hashable, Sendable {
    var key: String
    var id: UploadID

    private enum CodingKeys: String, CodingKey {
        case key = "Key"
        case id = "UploadId"
    }
}
