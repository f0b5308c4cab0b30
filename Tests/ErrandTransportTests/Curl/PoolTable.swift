#if canImport(CCurl)
@testable import Errand

/// What happens to a pool, and the requests that are started after each event.
struct Table: Sendable {
    enum Event: Sendable {
        case submit(Int, to: String = "a", RequestPriority = .normal)
        case opening(Int, completed: [Int] = [])
        case connected(Int, CurlOrigin.Sharing)
        case failedToConnect(Int)
        case ended(Int)
    }

    typealias Step = (event: Event, starts: [Int])

    let name: String
    let configuration: CurlConfiguration
    let sharing: CurlOrigin.Sharing
    let steps: [Step]

    init(
        _ name: String, originLimit: Int = 9, limit: Int = 10, sharing: CurlOrigin.Sharing = .none,
        _ steps: [Step]
    ) {
        (self.name, self.sharing, self.steps) = (name, sharing, steps)
        configuration = CurlConfiguration(limits: (originLimit, limit))
    }

    /// Whether all requests have ended.
    var isIdleAtEnd: Bool {
        var left: Set<Int> = []
        for step in steps {
            if case .submit(let id, _, _) = step.event { left.insert(id) }
            if case .ended(let id) = step.event { left.remove(id) }
        }
        return left.isEmpty
    }
}

extension CurlConfiguration {
    /// - Parameter limits: The maximum number of connections of an origin, and of all.
    init(limits: (ofOrigin: Int, all: Int)) {
        self.init()
        (maximumConnectionsPerHost, maximumConnections) = limits
    }
}

extension CurlPool {
    mutating func handle(_ event: Table.Event, _ now: UInt64) {
        switch event {
        case .submit(let id, let origin, let priority): submit(id, to: origin, priority, now)
        case .opening(let id, let completed): took(.opening, for: id, completed: completed, now)
        case .connected(let id, let sharing):
            let connection = ConnectionID(remote: nil, remotePort: 80, local: nil, localPort: 1)
            took(.connected(connection, sharing), for: id, completed: [], now)
        case .failedToConnect(let id): failedToConnect(id, now)
        case .ended(let id): ended(id)
        }
    }

    /// The requests that are to be given to libcurl now.
    mutating func starts(_ now: UInt64) -> [Int] {
        var starts: [Int] = []
        while let start = next(connections: 0, now) { starts.append(start.request) }
        return starts
    }
}
#endif
