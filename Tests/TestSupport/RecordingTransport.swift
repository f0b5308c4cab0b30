package import Errand

/// A transport that sends nothing: it records each request, and returns the same response to all of them.
package struct RecordingTransport: Transport {
    package let sent = Recorder<TransportRequest>()
    private let answer: DataResponse

    package init(answer: DataResponse = DataResponse(statusCode: 200)) {
        self.answer = answer
    }

    package func send(_ request: TransportRequest) async throws -> DataResponse {
        sent.record(request)
        return answer
    }
}
