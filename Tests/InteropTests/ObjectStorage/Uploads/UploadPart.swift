import Errand

/// Sends one part of an upload; a part with the same number is replaced, so the request can be repeated.
final class UploadPart: ObjectStorageAPI, Request {
    private let number: Int

    /// - Parameter number: From 1 to 10,000, which the store checks.
    init(_ number: Int, _ body: RequestBody, of upload: UploadID, key: ObjectKey, in bucket: Bucket) {
        self.number = number
        super.init(bucket, key: key)
        method = .put
        query = ["partNumber": number, "uploadId": upload]
        self.body = body
    }

    func start() -> Pipeline<UploadedPart, any Error> {
        sendRequest().map { [number] in UploadedPart(number: number, etag: $0.headers[.etag] ?? "") }
    }
}

/// A part that the store has.
struct UploadedPart: Hashable, Sendable {
    var number: Int
    /// The entity tag, by which the store verifies the part when the upload is completed.
    var etag: String
}
