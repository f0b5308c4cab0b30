import Errand
import ErrandTesting

/// An error response of the server.
struct Problem: Error {
    let statusCode: Int
    let detail: String

    init(_ statusCode: Int, _ detail: String) {
        self.statusCode = statusCode
        self.detail = detail
    }

    /// The response in the format of RFC 9457.
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
