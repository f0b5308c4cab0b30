import Errand
import ErrandTesting
import TestSupport
import Testing

@Suite(.hangGuard) struct `Credentials that an assignment removed` {
    private class ShelfAPI: APIBase {
        init(status: Int = 401) {
            super.init()
            baseURL = URL(string: "https://library.example.com")
            acceptedStatusCodes = .successful
            interceptors = [BearerAuthentication(token: "abc")]
            headers = ["X-API-Key": "k", "Accept": "application/json"]
            dataTaskPipeline = stubResponse(statusCode: status)
        }
    }

    /// A class between the API's and a leaf.
    private class LoanAPI: ShelfAPI {
        override init(status: Int = 401) {
            super.init(status: status)
            interceptors.append(LoggingInterceptor(sink: nil))
        }
    }

    private final class Loans: LoanAPI, Request {
        func start() -> Pipeline<Void, any Error> { sendRequest().decodeVoid() }
    }

    /// An interceptor of a user's around another one.
    private struct Wrapping: Interceptor {
        let other: any Interceptor
        func intercept(_ request: TransportRequest, next: Next) async throws -> DataResponse {
            try await other.intercept(request, next: next)
        }
    }

    /// A leaf that computes its interceptors.
    private final class Traced: ShelfAPI, Request {
        override var interceptors: [any Interceptor] {
            get { [LoggingInterceptor(sink: nil)] }
            set { super.interceptors = newValue }
        }
        func start() -> Pipeline<Void, any Error> { sendRequest().decodeVoid() }
    }

    /// Changes a leaf, and returns the reason of its failure.
    private func reason(status: Int = 401, _ change: (Loans) -> Void) async -> String {
        let leaf = Loans(status: status)
        change(leaf)
        let error = await expectFailure(.unacceptableStatusCode) { try await leaf.start().value }
        return error?.reason ?? ""
    }

    private static let ofInterceptors = """
        `interceptors` had BearerAuthentication, which an assignment removed: add with `interceptors.append(…)`
        """
    private static let ofHeaders = """
        `headers` had X-API-Key, which an assignment removed: add with `headers["Accept"] = …`
        """

    @Test func `are named by the reason of a 401 or 403`() async {
        for status in [401, 403] {
            let reason = await reason(status: status) { $0.interceptors = [LoggingInterceptor(sink: nil)] }
            #expect(reason == "the status is \(status), not 200 to 299; \(Self.ofInterceptors)")
        }
        #expect(await reason { $0.interceptors.removeAll() }.hasSuffix(Self.ofInterceptors))
        #expect(await reason(status: 404) { $0.interceptors = [] } == "the status is 404, not 200 to 299")
    }

    @Test func `are named if a header field had them`() async {
        let changes: [(Loans) -> Void] = [
            { $0.headers = ["Accept": "text/csv"] }, { $0.headers["X-API-Key"] = nil }, { $0.headers = [:] },
        ]
        for change in changes {
            // The class's other authentication is there, so that alone is named which is removed.
            #expect(await reason(change) == "the status is 401, not 200 to 299")
            let reason = await reason { leaf in
                let plain = [LoggingInterceptor(sink: nil)]
                leaf.interceptors = plain
                change(leaf)
            }
            #expect(reason.hasSuffix(Self.ofInterceptors))
        }
        let keyed = APIBase()
        keyed.baseURL = URL(string: "https://library.example.com")
        keyed.headers["X-API-Key"] = "k"
        keyed.headers = ["Accept": "text/csv"]
        keyed.dataTaskPipeline = keyed.stubResponse(statusCode: 403)
        let error = await expectFailure(.unacceptableStatusCode) {
            try await keyed.sendRequest().validateStatusCode(in: [200]).value
        }
        #expect(error?.reason == "the status is 403, not 200; \(Self.ofHeaders)")
    }

    @Test func `are not named if the request still has what its class set, or another authentication`() async {
        let changes: [(Loans) -> Void] = [
            { _ in }, { $0.headers["Accept"] = "text/csv" }, { $0.interceptors.append(LoggingInterceptor(sink: nil)) },
            { $0.interceptors = [BasicAuthentication(user: "ursula", password: "secret")] },
            { $0.interceptors = [TokenAuthentication(token: AccessToken("old")) { _ in AccessToken("old") }] },
        ]
        let others: [(Loans) -> Void] = [
            { $0.interceptors = $0.interceptors.map { Wrapping(other: $0) } },
            { leaf in
                leaf.interceptors = []
                leaf.headers["Authorization"] = "Basic dTpw"
            },
            { leaf in
                leaf.interceptors = []
                leaf.asynchronousHeaders = { ["Authorization": "Bearer b"] }
            },
            { leaf in
                leaf.interceptors = []
                leaf.url = URL(string: "https://other.example.com/a")
            },
        ]
        for change in changes + others { #expect(!(await reason(change)).contains("removed")) }
    }

    @Test func `are not named if a service replaces the interceptors`() async {
        let others = InterceptorList.replacing([LoggingInterceptor(sink: nil)])
        let service = APIService(baseURL: "staging.example.com", interceptors: others)
        let error = await expectFailure(.unacceptableStatusCode) { try await Loans().schedule(with: service).value }
        #expect(error?.reason == "the status is 401, not 200 to 299")
    }

    @Test func `are named if an override computes the interceptors`() async {
        let leaf = Traced()
        let error = await expectFailure(.unacceptableStatusCode) { try await leaf.start().value }
        #expect(error?.reason?.hasSuffix(Self.ofInterceptors) == true)
    }

    @Test func `are not named for an endpoint with another server`() async throws {
        let url = try #require(URL(string: "https://other.example.com/a"))
        let endpoint = Endpoint.get(url: url, as: [Int].self)
        let error = await expectFailure(.unacceptableStatusCode) { try await Loans().send(endpoint).value }
        #expect(error?.reason == "the status is 401, not 200 to 299")
    }
}
