import Errand
import ErrandResilience
import ErrandTesting
import Testing

/// The samples of the guide to the standard resilience.
class StationAPI: APIBase {
    static let resilience: [any Interceptor] = .standardResilience()

    override init() {
        super.init()
        baseURL = URL(string: "https://stations.example.com")
        interceptors = Self.resilience
    }
}

final class StartTrain: StationAPI, Request {
    override init() {
        super.init()
        method = .post
        path = "/trains"
        retryPolicy = .never
    }

    func start() -> Pipeline<Void, any Error> { sendRequest().decodeVoid() }
}

private enum Patient {
    static let patient: [any Interceptor] = .standardResilience(
        totalTimeout: .seconds(120), limit: ConcurrencyLimit(4), attemptTimeout: nil)
}

struct `The page on the standard resilience` {
    @Test func `a leaf chooses not to be repeated`() async throws {
        let stubs = RouteStubs()
        stubs.on(.post, "/trains", .status(503))
        try await stubs.run {
            let error = await #expect(throws: ErrandError.self) { try await StartTrain().start().value }
            #expect(error?.statusCode == 503)
            #expect(error?.attempts == 1)
        }
        #expect(Patient.patient.count == 4)
    }

    @Test func `a request is repeated after the backoff`() async throws {
        let clock = ManualClock()
        let stubs = RouteStubs()
        stubs.on(.get, "/departures", inTurn: [.status(503), .status(204)])
        var policy = RetryPolicy.standard(clock: clock)
        policy.random = { 0.5 }
        let service = APIService(
            baseURL: "stations.example.com",
            interceptors: .adding(
                .standardResilience(
                    totalTimeout: nil, retry: policy, breaker: .standard(clock: clock), limit: .standard(clock: clock),
                    attemptTimeout: nil)))
        try await stubs.run {
            try await clock.run { try await service.send(.get("/departures")).value }
        }
        #expect(clock.now.offset == .milliseconds(100))
    }
}
