import Errand

/// GET requests of a leaf of an API class, as a program sends them, with both validations and without decoding.
struct HTTPLoad: Sendable {
    let url: URL
    let transport: any Transport
    let executor: Job.Executor
    let observers: [any ExchangeObserver]

    /// - Returns: The bytes of all bodies.
    func run(concurrency: Int, count: Int) async throws -> Int {
        try await withThrowingTaskGroup(of: Int.self) { group in
            for worker in 0..<concurrency {
                let share = count / concurrency + (worker < count % concurrency ? 1 : 0)
                group.addTask(executorPreference: executor.preference) { try await send(share) }
            }
            return try await group.reduce(0, +)
        }
    }

    private func send(_ count: Int) async throws -> Int {
        var bytes = 0
        for _ in 0..<count {
            let request = BenchRequest(url, over: transport)
            request.observers = observers
            bytes += try await request.start().value.data.count
        }
        return bytes
    }
}

/// The common settings and validations of the benchmark's requests.
class BenchAPI: APIBase {
    init(_ url: URL, over transport: any Transport) {
        super.init()
        baseURL = url
        session = transport
        headers = ["Accept": "application/json"]
    }

    override func startRequest() -> Pipeline<DataResponse, any Error> {
        super.startRequest()
            .validateStatusCode(in: 200..<300)
            .hasContentType("application/json")
    }
}

/// The leaf, which sends the request and returns the response.
final class BenchRequest: BenchAPI, Request {
    func start() -> Pipeline<DataResponse, any Error> {
        sendRequest()
    }
}

/// An observer that does nothing.
struct SilentObserver: ExchangeObserver {
    func began(_ exchange: ObservedExchange) -> any ExchangeObservation { Silent() }

    private struct Silent: ExchangeObservation {}
}
