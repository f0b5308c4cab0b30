import Errand

/// Sends requests to one service, and logs those that are sent over the network.
struct Client: Sendable {
    private(set) var service: PlaceholderService

    init(service: PlaceholderService, log: WireLog, clock: any Clock<Duration>) {
        self.service = service
        self.service.interceptors = [Watch(clock: clock, report: log.record)]
    }

    /// This client with another interceptor before its own.
    func behind(_ interceptor: any Interceptor) -> Client {
        var client = self
        client.service.interceptors = [interceptor] + (service.interceptors ?? [])
        return client
    }

    /// Schedules a request; it is sent when a task awaits its value.
    func respond<Sent: PlaceholderAPI & Request>(
        to request: Sent
    ) -> ScheduledRequest<Sent.Output, any Error> where Sent.Output: Sendable {
        request.schedule(with: service)
    }

    func send<Sent: PlaceholderAPI & Request>(_ request: Sent) async throws -> Sent.Output where Sent.Output: Sendable {
        try await respond(to: request).value
    }
}
