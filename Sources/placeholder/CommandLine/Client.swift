import Errand

/// Sends requests to one service, and logs those that go over the wire.
struct Client: Sendable {
    let service: PlaceholderService
    let log: WireLog

    func send<Sent: PlaceholderAPI & Request>(_ request: Sent) async throws -> Sent.Output where Sent.Output: Sendable {
        request.onExchange = log.record
        return try await request.schedule(with: service).value
    }
}
