import Errand
import ErrandResilience
import ErrandTesting
import Testing

/// The samples of the guide to resilience.
class CatalogueAPI: APIBase {
    static let failover = Failover(["https://eu.catalogue.example.com/v1", "https://us.catalogue.example.com/v1"])
    static let pause = RetryAfterPause()
    static let concurrency = ConcurrencyLimit(adaptingIn: 1...100)

    override init() {
        super.init()
        baseURL = Self.failover.baseURLs.first
        retryPolicy = .exponential()
        resourceTimeout = .seconds(10)
        interceptors = [Self.failover, Self.concurrency, Self.pause, AttemptTimeout(.seconds(2))]
    }
}

final class CatalogueRequest: CatalogueAPI, Request {
    override init() {
        super.init()
        path = "/books"
    }

    func start() -> Pipeline<DataResponse, any Error> { sendRequest() }
}

private enum Hedged {
    static let hedging = Hedging(after: .percentile(0.95))
}

struct `The page on resilience` {
    @Test func `the guide: the interceptors can be combined`() async throws {
        let stubs = RouteStubs()
        stubs.on(
            .get, "/v1/books", where: .host("eu.catalogue.example.com"), .failure(.cannotConnectToHost), times: .any)
        stubs.on(.get, "/v1/books", where: .host("us.catalogue.example.com"), .status(204))
        try await stubs.run {
            let request = CatalogueRequest()
            // Two seconds are not enough on a machine that runs all tests at once.
            request.resourceTimeout = nil
            request.interceptors = [
                CatalogueAPI.failover, CatalogueAPI.concurrency, CatalogueAPI.pause, AttemptTimeout(.seconds(600)),
            ]
            let response = try await request.start().value
            #expect(response.statusCode == 204)
            #expect(response.url?.host == "us.catalogue.example.com")
        }
        var printed: [String] = []
        func print(_ items: Any...) { printed.append(items.map { "\($0)" }.joined(separator: " ")) }
        for url in CatalogueAPI.failover.unavailableURLs { print("not available:", url) }
        #expect(printed == ["not available: https://eu.catalogue.example.com/v1"])
    }

    @Test func `the guide: the samples compile`() async throws {
        let limit = ConcurrencyLimit(adaptingIn: 1...100, slowAfter: .seconds(2))
        let background = ConcurrencyLimit(4, ageing: .seconds(10))
        let paced = RateLimit(requests: 10, per: .seconds(1), ageing: .seconds(10))
        let request = CatalogueRequest()
        request.interceptors = [Hedged.hedging, limit, background, paced]
        request.dataTaskPipeline = request.stubResponse(statusCode: 204)
        #expect(try await request.start().value.statusCode == 204)
        #expect(limit.limit(for: try #require(URL(string: "https://eu.catalogue.example.com"))) == 10)
    }
}
