import Errand

/// Lists the uploads that are neither completed nor aborted: the first page, at most 1,000.
final class ListMultipartUploads: ObjectStorageAPI, Request {
    init(in bucket: Bucket) {
        super.init(bucket)
        query = ["uploads": ""]
    }

    func start() -> Pipeline<[BegunUpload], any Error> {
        sendRequest().decode(UploadList.self, decoder: XMLDocumentDecoder(root: "ListMultipartUploadsResult"))
            .map(\.uploads)
    }
}

private struct UploadList: Decodable, Sendable {
    var uploads: [BegunUpload]

    private enum CodingKeys: String, CodingKey { case uploads = "Upload" }
}
