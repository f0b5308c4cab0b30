import Errand
import ErrandTesting

/// A request that the server does not fulfil, and what it says about it.
struct Problem: Error {
    let statusCode: Int
    let detail: String

    init(_ statusCode: Int, _ detail: String) {
        self.statusCode = statusCode
        self.detail = detail
    }

    /// The answer, in the form of RFC 9457.
    var response: MockResponse {
        get throws {
            let title = MockResponse.status(statusCode).reason
            var response = try MockResponse.json(
                encodable: ProblemDetails(title: title, status: statusCode, detail: detail), statusCode: statusCode)
            response.headers["Content-Type"] = "application/problem+json"
            return response
        }
    }
}
