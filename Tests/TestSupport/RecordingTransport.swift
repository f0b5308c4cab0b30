package import Errand

/// A transport that sends nothing: it records each request, and returns the same response to all of them.
package struct RecordingTransport: Transport {
    package let sent = Recorder<TransportRequest>()
    private let response: DataResponse

    package init(response: DataResponse = DataResponse(statusCode: 200)) {
        self.response = response
    }

    package func send(_ request: TransportRequest) async throws -> DataResponse {
        sent.record(request)
        return response
    }
}
