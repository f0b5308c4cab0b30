import Errand

/// The error document of the store: the payload of an `ErrandError`.
///
/// ```swift
/// catch let error as ErrandError where error.objectStorageError?.code == .noSuchKey { … }
/// ```
///
/// A response to HEAD has no body: only the status is known.
struct ObjectStorageError: Decodable, Hashable, Sendable {
    /// The error code, for use in a `switch`. There are more codes than those that have a name here.
    struct Code: RawRepresentable, Hashable, Decodable, Sendable {
        let rawValue: String

        static let accessDenied = Code(rawValue: "AccessDenied")
        static let bucketNotEmpty = Code(rawValue: "BucketNotEmpty")
        static let entityTooSmall = Code(rawValue: "EntityTooSmall")
        static let invalidAccessKeyID = Code(rawValue: "InvalidAccessKeyId")
        static let invalidPart = Code(rawValue: "InvalidPart")
        static let invalidRange = Code(rawValue: "InvalidRange")
        static let noSuchBucket = Code(rawValue: "NoSuchBucket")
        static let noSuchKey = Code(rawValue: "NoSuchKey")
        static let noSuchUpload = Code(rawValue: "NoSuchUpload")
        static let preconditionFailed = Code(rawValue: "PreconditionFailed")
        static let requestTimeTooSkewed = Code(rawValue: "RequestTimeTooSkewed")
        static let signatureDoesNotMatch = Code(rawValue: "SignatureDoesNotMatch")
        static let slowDown = Code(rawValue: "SlowDown")
    }

    var code: Code
    /// The message for a person. It may quote the request.
    var message: String?
    /// The identifier of the request, for a question to the operators of the store.
    var requestID: String?

    private enum CodingKeys: String, CodingKey {
        case code = "Code"
        case message = "Message"
        case requestID = "RequestId"
    }
}

extension ErrandError {
    /// The error that the store returned.
    var objectStorageError: ObjectStorageError? { payload(as: ObjectStorageError.self) }
}

extension Pipeline where Output == DataResponse {
    /// Fails for a response whose status is 200 and whose document is an error.
    ///
    /// Copying and completing may take minutes. A store sends the head first, so that no client times out, and by then
    /// does not know how it will end.
    func failingForErrorDocument() -> Pipeline<DataResponse, any Error> {
        tryMap { response in
            let decoder = XMLDocumentDecoder(root: "Error")
            guard let payload = try? response.decode(ObjectStorageError.self, decoder: decoder) else { return response }
            throw response.failure(
                .unacceptableStatusCode, reason: "the document is an error, whatever the status", payload: payload)
        }
    }
}
