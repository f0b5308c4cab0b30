import Errand

/// Deletes at most 1,000 objects in one request; the store checks the limit.
///
/// Some deletions may fail, so check ``DeletionReport/failures``.
final class DeleteObjects: ObjectStorageAPI, Request {
    init(_ keys: [ObjectKey], in bucket: Bucket) {
        super.init(bucket)
        method = .post
        query = ["delete": ""]
        body = .encoded(type: .xml) {
            let objects = try keys.map { try "<Object>\(XMLText.element("Key", $0.name))</Object>" }
            return XMLText.document("Delete", objects.joined())
        }
    }

    /// The store requires a digest of the body, so that it deletes the right objects.
    override func buildURLRequest() throws -> URLRequest {
        var request = try super.buildURLRequest()
        let digest = FileDigest(.sha256, of: request.httpBody ?? Data()).bytes.base64EncodedString()
        request.setValue(digest, forHTTPHeaderField: "X-Amz-Checksum-Sha256")
        request.setValue("SHA256", forHTTPHeaderField: "X-Amz-Sdk-Checksum-Algorithm")
        return request
    }

    func start() -> Pipeline<DeletionReport, any Error> {
        sendRequest().decode(DeletionReport.self, decoder: XMLDocumentDecoder(root: "DeleteResult"))
    }
}

/// The outcome for each object.
struct DeletionReport: Decodable, Hashable, Sendable {
    struct Deletion: Decodable, Hashable, Sendable {
        var key: String

        private enum CodingKeys: String, CodingKey { case key = "Key" }
    }

    struct Failure: Decodable, Hashable, Sendable {
        var key: String
        var code: ObjectStorageError.Code

        private enum CodingKeys: String, CodingKey {
            case key = "Key"
            case code = "Code"
        }
    }

    var deletions: [Deletion]
    var failures: [Failure]

    private enum CodingKeys: String, CodingKey {
        case deletions = "Deleted"
        case failures = "Error"
    }
}
