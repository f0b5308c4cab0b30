import Errand
import ErrandTesting

/// A server that works on a number of requests at once, lets others wait, and rejects further ones with 503.
///
/// `@unchecked`: ``JobLoop`` runs all tasks on one thread.
final class SimulatedServer: @unchecked Sendable {
    private let clock: ManualClock
    /// The number of requests on which it works at once.
    var workers = 5 {
        didSet { admit() }
    }
    /// The time of a response.
    var serviceTime = Duration.milliseconds(40)
    /// Whether it refuses connections.
    var isDown = false
    /// Whether it accepts requests and never responds to them.
    var hangs = false
    /// The number of requests that it received, including those that it refused.
    private(set) var received = 0

    private static let queueLimit = 50
    private var working = 0
    private var waiting: [CheckedContinuation<Void, Never>] = []

    init(_ clock: ManualClock) {
        self.clock = clock
    }

    /// Responds to a request. A client that does not wait for the response does not end the work.
    func respond() async throws -> DataResponse {
        received += 1
        if isDown {
            try await clock.sleep(for: .milliseconds(5))
            throw ErrandError(transportFailure: URLError(.cannotConnectToHost))
        }
        if hangs { try await clock.sleep(for: .seconds(3600)) }
        if working >= workers, waiting.count >= Self.queueLimit {
            try await clock.sleep(for: .milliseconds(5))
            return DataResponse(statusCode: 503)
        }
        let work = Task.detached { await self.work() }
        try await Pipeline { () async throws(any Error) in await work.value }.value
        return DataResponse(statusCode: 200)
    }

    private func work() async {
        await withCheckedContinuation { place in
            waiting.append(place)
            admit()
        }
        try? await clock.sleep(for: serviceTime)
        working -= 1
        admit()
    }

    /// Gives free places to the requests that wait, the earliest first.
    private func admit() {
        while working < workers, !waiting.isEmpty {
            working += 1
            waiting.removeFirst().resume()
        }
    }
}
