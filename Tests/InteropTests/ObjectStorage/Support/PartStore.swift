import Errand
import TestSupport

/// The error that the store returns when it refuses a request.
struct Refusal: Error {
    var status: Int
    var code: String
}

/// A simulated store of multipart uploads, which records its requests.
final class PartStore: Sendable {
    /// The method of each request, with its part number or its query.
    let steps = Recorder<String>()
    private let counts = Locked((active: 0, most: 0))

    /// The number of active parts, and its maximum so far.
    var parts: (active: Int, most: Int) { counts.withLock(\.self) }

    /// A bucket of the store. Each closure is called for its kind of request. An error that it throws is sent as the
    /// response.
    func bucket(
        requestsAtOnce: Int = 4, creating: @escaping @Sendable () async throws -> Void = {},
        completing: @escaping @Sendable () async throws -> Void = {},
        aborting: @escaping @Sendable () async throws -> Void = {},
        storing: @escaping @Sendable (Int) async throws -> Void = { _ in }
    ) -> Bucket {
        Bucket.example(requestsAtOnce: requestsAtOnce) { [self] request in
            let items = request.urlRequest.url.flatMap { URLComponents(url: $0, resolvingAgainstBaseURL: true) }?
                .queryItems
            let part = items?.first { $0.name == "partNumber" }?.value.flatMap { Int($0) }
            do {
                switch (request.urlRequest.httpMethod, part) {
                case ("PUT", let part?): return try await store(part, storing)
                case ("DELETE", _):
                    steps.record("DELETE")
                    try await aborting()
                    return DataResponse(statusCode: 204)
                case (_, _) where items?.first?.name == "uploads":
                    steps.record("POST uploads=")
                    try await creating()
                    return response("<InitiateMultipartUploadResult><Key>film</Key><UploadId>7</UploadId>", "Initiate")
                default:
                    steps.record("POST \(try parts(of: request))")
                    try await completing()
                    return response("<CompleteMultipartUploadResult><ETag>\"whole\"</ETag>", "Complete")
                }
            } catch let refusal as Refusal {
                let document = "<Error><Code>\(refusal.code)</Code></Error>"
                return DataResponse(statusCode: refusal.status, data: Data(document.utf8))
            }
        }
    }

    private func store(_ part: Int, _ storing: (Int) async throws -> Void) async throws -> DataResponse {
        counts.withLock { counts in
            counts.active += 1
            counts.most = max(counts.most, counts.active)
        }
        defer { counts.withLock { $0.active -= 1 } }
        steps.record("PUT \(part)")
        try await storing(part)
        return DataResponse(statusCode: 200, headers: ["ETag": "\"tag \(part)\""])
    }

    private func response(_ document: String, _ verb: String) -> DataResponse {
        DataResponse(statusCode: 200, data: Data("\(document)</\(verb)MultipartUploadResult>".utf8))
    }

    /// The parts that a request to complete an upload names.
    private func parts(of request: TransportRequest) throws -> String {
        struct Completion: Decodable, SendableMetatype {
            struct Part: Decodable {
                var number: Int
                var etag: String

                private enum CodingKeys: String, CodingKey {
                    case number = "PartNumber"
                    case etag = "ETag"
                }
            }

            var parts: [Part]

            private enum CodingKeys: String, CodingKey { case parts = "Part" }
        }
        let decoder = XMLDocumentDecoder(root: "CompleteMultipartUpload")
        let completion = try decoder.decode(Completion.self, from: request.urlRequest.httpBody ?? Data())
        return completion.parts.map { "\($0.number) \($0.etag)" }.joined(separator: " ")
    }
}
