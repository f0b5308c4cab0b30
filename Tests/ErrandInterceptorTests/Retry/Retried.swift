import Errand
import ErrandTesting
import TestSupport

/// A request that a policy sends again, with a manual clock.
final class Retried: APIBase, Request {
    let clock = ManualClock()

    init(_ policy: RetryPolicy = .immediate, method: RequestMethod = .get) {
        super.init()
        baseURL = URL(string: "https://api.example.com/users")
        self.method = method
        retryPolicy = policy
        retryPolicy?.clock = clock
        retryPolicy?.random = { 1 }
    }

    func start() -> Pipeline<DataResponse, any Error> { sendRequest() }

    /// Responds with these statuses in turn, and with header fields for those that fail.
    func respond(_ statusCodes: Int..., headers: HeaderFields = [:]) {
        dataTaskPipeline = stub(
            inTurn: statusCodes.map { stubResponse(statusCode: $0, headers: $0 < 400 ? [:] : headers) })
    }
}

/// Responds in turn, and records the requests.
struct ScriptedTransport: Transport {
    let sent = Recorder<TransportRequest>()
    private let statusCodes: [Int]

    init(_ statusCodes: Int...) {
        self.statusCodes = statusCodes
    }

    func send(_ request: TransportRequest) async throws -> DataResponse {
        sent.record(request)
        return DataResponse(statusCode: statusCodes[min(sent.elements.count, statusCodes.count) - 1])
    }

    /// The values of one field in the requests that were sent.
    func values(of name: String) -> [String?] {
        sent.elements.map { $0.urlRequest.value(forHTTPHeaderField: name) }
    }
}
