package import Errand
import Testing

/// A GET request for the tests of limits and other interceptors.
package func limitedRequest(
    _ url: String = "https://api.example.com/users", method: String = "GET", headers: [String: String] = [:],
    priority: RequestPriority = .normal, resourceTimeout: Duration? = nil
) -> TransportRequest {
    var request = TransportRequest(URLRequest(url: URL(string: url) ?? URL(filePath: "/")))
    request.urlRequest.httpMethod = method
    for (name, value) in headers { request.urlRequest.setValue(value, forHTTPHeaderField: name) }
    request.priority = priority
    request.resourceTimeout = resourceTimeout
    return request
}

/// Sends requests one after another, each when the previous one waits.
package func begin<Value: Sendable>(
    _ requests: [TransportRequest], waiting: @autoclosure () -> Int,
    send: @escaping @Sendable (TransportRequest) async throws -> Value
) async throws -> [Task<Value, any Error>] {
    var tasks: [Task<Value, any Error>] = []
    for request in requests {
        let before = waiting()
        tasks.append(Task { try await send(request) })
        try await waitUntil { waiting() == before + 1 }
    }
    return tasks
}
