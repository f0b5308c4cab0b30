import Errand

/// The destination of the requests: the embedded server, or another server with the same API.
struct PlaceholderService: APIService {
    let baseURL: URL?
    /// The signed-in user, for requests that need one.
    var token: String?
    /// The interceptors of all requests, the outermost first.
    var interceptors: [any Interceptor]?

    var headers: HeaderFields {
        guard let token, !token.isEmpty else { return [:] }
        return ["Authorization": "Bearer \(token)"]
    }
}
