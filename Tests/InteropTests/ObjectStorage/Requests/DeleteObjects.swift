import Errand

/// Removes many objects at once: 1,000 at most, which the store checks.
///
/// Some may fail and others not, so look at ``DeletionReport/failures``.
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

    /// The store wants to be sure that it deletes what was meant, and so the body's digest goes with it.
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

/// What became of each object.
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
