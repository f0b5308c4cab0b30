import Errand

extension APIService<any Error> {
    /// Returns the destination of the requests: the embedded server, or another server with the same API.
    ///
    /// - Parameter token: The token of the signed-in user, for requests that need one.
    static func placeholder(at baseURL: URL?, token: String? = nil) -> APIService<any Error> {
        var service = APIService(baseURL: baseURL.map { BaseURL($0) })
        if let token, !token.isEmpty { service.settings.headers["Authorization"] = "Bearer \(token)" }
        return service
    }
}
