import Errand

class PlaceholderAPI: APIBase {
    private static let budget = RetryBudget()

    override init() {
        super.init()
        baseURL = URL(string: "https://jsonplaceholder.typicode.com")
        headers[.accept] = "application/json"
        retryPolicy = .exponential(base: .milliseconds(200))
        retryPolicy?.budget = Self.budget
    }

    override func startRequest() -> Pipeline<DataResponse, any Error> {
        super.startRequest()
            .validateStatusCode(in: 200..<300)
            .hasContentType("application/json")
    }
}
