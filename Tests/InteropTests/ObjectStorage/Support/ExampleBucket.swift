import Errand
import ErrandAuth
import TestSupport

extension Bucket {
    /// A bucket whose store is simulated by a closure.
    static func example(
        requestsAtOnce: Int = 4, _ respond: @escaping @Sendable (TransportRequest) async throws -> DataResponse
    ) -> Bucket {
        let endpoint = URL(string: "https://store.example.com") ?? URL(filePath: "/")
        var bucket = Bucket(
            "photos", at: endpoint, in: "us-east-1", as: AWSCredential(id: "AKIDEXAMPLE", secret: "secret"),
            requestsAtOnce: requestsAtOnce)
        bucket.session = RespondingTransport(respond: respond)
        bucket.retryPolicy = nil
        return bucket
    }

    /// A bucket whose store returns the same response to every request, and the recorded requests.
    static func example(
        respondingWith status: Int, _ document: String = "", headers: HeaderFields = [:]
    ) -> (bucket: Bucket, sent: Recorder<TransportRequest>) {
        let sent = Recorder<TransportRequest>()
        let bucket = example { request in
            sent.record(request)
            return DataResponse(statusCode: status, headers: headers, data: Data(document.utf8))
        }
        return (bucket, sent)
    }
}

private struct RespondingTransport: Transport {
    let respond: @Sendable (TransportRequest) async throws -> DataResponse

    func send(_ request: TransportRequest) async throws -> DataResponse { try await respond(request) }
}
