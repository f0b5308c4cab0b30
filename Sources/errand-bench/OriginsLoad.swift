import Errand

/// One GET request to each of many origins, all at once. Each origin is another host name of the same server.
enum OriginsLoad {
    /// - Returns: The bytes of all bodies.
    static func run(_ url: URL, count: Int) async throws -> Int {
        guard let address = url.host(), let parts = URLComponents(url: url, resolvingAgainstBaseURL: false) else {
            throw Job.Usage()
        }
        var configuration = CurlConfiguration()
        configuration.nameService = .function { _ in ResolvedHost(addresses: [address], timeToLive: .zero) }
        let transport = CurlTransport(configuration)
        return try await withThrowingTaskGroup(of: Int.self) { group in
            for number in 0..<count {
                var parts = parts
                parts.host = "host\(number).example"
                guard let origin = parts.url else { throw Job.Usage() }
                group.addTask { try await BenchRequest(origin, over: transport).start().value.data.count }
            }
            return try await group.reduce(0, +)
        }
    }
}
