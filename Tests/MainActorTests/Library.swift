import Errand

/// A service with an interceptor.
let library = APIService(
    baseURL: "https://staging.library.example.com/v1", interceptors: [Tagging(value: "staging")])

/// An interceptor that adds a header field.
struct Tagging: Interceptor {
    let value: String

    func intercept(_ request: TransportRequest, next: Next) async throws -> DataResponse {
        var request = request
        request.urlRequest.setValue(value, forHTTPHeaderField: "X-Tag")
        return try await next(request)
    }
}

/// A struct request.
struct BookRequest: EndpointRequest {
    let id: Int
    var endpoint: Endpoint<Book> { .get("/books/\(id)") }
}
