import Errand

/// Sends one part of an upload; the same number again takes its place, so that it may be sent again.
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
    /// By this the store knows, when the upload is completed, that it is the part that was meant.
    var etag: String
}
