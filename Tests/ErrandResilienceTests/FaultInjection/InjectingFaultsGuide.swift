import Errand
import ErrandResilience
import ErrandTesting
import TestSupport
import Testing

/// The samples of the guide to injecting faults.
class HarborAPI: APIBase {
    static let faults = FaultInjection([
        .after(.seconds(2)): 0.1,
        .status(503, headers: ["Retry-After": "1"]): 0.05,
        .failure(.networkConnectionLost): 0.02,
        .closeInBody(after: 100): 0.01,
    ])

    override init() {
        super.init()
        baseURL = URL(string: "https://harbor.example.com")
        retryPolicy = .exponential()
        interceptors = [Self.faults]
    }
}

final class BerthsRequest: HarborAPI, Request {
    override init() {
        super.init()
        path = "/berths"
        acceptedStatusCodes = 200..<300
    }

    func start() -> Pipeline<DataResponse, any Error> { sendRequest() }
}

struct `The page on injecting faults` {
    @Test func `faults are switched by the environment, and go through a run`() async throws {
        HarborAPI.faults.isEnabled = ProcessInfo.processInfo.environment["HARBOR_FAULTS"] != nil
        #expect(!HarborAPI.faults.isEnabled)
        let stubs = RouteStubs()
        stubs.on(.get, "/berths", .status(204))
        try await stubs.run {
            let response = try await BerthsRequest().start().value
            #expect(response.statusCode == 204)
            let request = BerthsRequest()
            let faults = FaultInjection([.failure(.timedOut): 0.2], seed: 7) { request in
                request.urlRequest.url?.path.hasPrefix("/berths") == true
            }
            #expect(!faults.isEnabled)
            request.retryPolicy = .immediate
            let entries = Recorder<LogEntry>()
            let failing = FaultInjection([.status(503): 1]) { _ in
                true
            } sink: {
                entries.record($0)
            }
            failing.isEnabled = true
            request.interceptors = [faults, failing]
            let error = await #expect(throws: ErrandError.self) { try await request.start().value }
            #expect(error?.statusCode == 503)
            #expect(error?.reason?.contains("injected fault: status(503)") == true)
            #expect(error?.url?.path == "/berths")
            #expect(entries.elements.map(\.attempt) == [1, 2, 3])
        }
    }
}
