import Errand
import TestSupport

/// A request that passes the interceptors under test to a transport that records it.
final class SignedRequest: APIBase, Request {
    let transport: RecordingTransport

    init(_ interceptors: [any Interceptor], to url: String = "https://api.example.com/books", status: Int = 200) {
        transport = RecordingTransport(response: DataResponse(statusCode: status))
        super.init()
        baseURL = URL(string: url)
        session = transport
        self.interceptors = interceptors
    }

    /// The requests that were sent, in order.
    var sent: [TransportRequest] { transport.sent.elements }

    func start() -> Pipeline<DataResponse, any Error> { sendRequest() }
}

extension TransportRequest {
    /// The value of the `Authorization` field.
    var authorization: String? { urlRequest.value(forHTTPHeaderField: "Authorization") }
}
