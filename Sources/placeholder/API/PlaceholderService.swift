import Errand

/// Where the requests go: the embedded server, or any other that has the API's shape.
struct PlaceholderService: APIService {
    let baseURL: URL?
    /// Who is asking, where the server wants to know.
    var token: String?
    /// What cuts across the requests, the first outermost.
    var interceptors: [any Interceptor]?

    var headers: HeaderFields {
        guard let token, !token.isEmpty else { return [:] }
        return ["Authorization": "Bearer \(token)"]
    }
}
