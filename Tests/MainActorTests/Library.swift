import Errand

/// A service with an interceptor.
struct Library: APIService {
    let baseURL = URL(string: "https://staging.library.example.com/v1")
    var interceptors: [any Interceptor]? { [Tagging(value: "staging")] }
}

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
struct BookRequest: DeclarativeRequest {
    typealias Output = Book
    let id: Int
    var path: RequestPath { "/books/\(id)" }
}
