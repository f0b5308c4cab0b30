package import Errand

/// A request that passes the interceptors under test to a transport that records it.
package final class SignedRequest: APIBase, Request {
    private let transport: RecordingTransport

    package init(
        _ interceptors: [any Interceptor], to url: String = "https://api.example.com/books", status: Int = 200
    ) {
        transport = RecordingTransport(response: DataResponse(statusCode: status))
        super.init()
        baseURL = URL(string: url)
        session = transport
        self.interceptors = interceptors
    }

    /// The requests that were sent, in order.
    package var sent: [TransportRequest] { transport.sent.elements }

    package func start() -> Pipeline<DataResponse, any Error> { sendRequest() }
}

extension TransportRequest {
    /// The value of the `Authorization` field.
    package var authorization: String? { urlRequest.value(forHTTPHeaderField: "Authorization") }
}
