/// What ties the entries of one request together, from the first ``Logging`` on its way to the last.
final class LogTrail: Sendable {
    /// The request that is under way in this task.
    @TaskLocal static var current: LogTrail?

    let id: String
    /// What was asked for. A request for something else, such as a new token, is one of its own.
    let target: String
    private let attempts = Locked(0)

    init(id: String, target: String) {
        self.id = id
        self.target = target
    }

    /// Counts one more sending.
    func nextAttempt() -> Int {
        attempts.withLock { attempts in
            attempts += 1
            return attempts
        }
    }

    /// The method and the URL without its query, to which an interceptor may have added something.
    static func target(of request: TransportRequest) -> String {
        let url = request.urlRequest.url?.absoluteString.prefix { $0 != "?" && $0 != "#" } ?? ""
        return "\(request.urlRequest.httpMethod ?? "GET") \(url)"
    }
}
