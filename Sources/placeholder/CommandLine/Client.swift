import Errand

/// Sends requests to one service, and logs those that are sent over the network.
struct Client: Sendable {
    private let destination: APIService<any Error>
    /// The interceptors of all requests, the outermost first.
    private var interceptors: [any Interceptor]
    private var observers: [any ExchangeObserver] = []

    init(service: APIService<any Error>, log: WireLog, clock: any Clock<Duration>) {
        destination = service
        interceptors = [Watch(clock: clock, report: log.record)]
    }

    /// The service with the interceptors and the observers of this client.
    var service: APIService<any Error> {
        var service = destination
        service.settings.interceptors = .adding(interceptors)
        service.settings.observers = observers
        return service
    }

    /// This client with another interceptor before its own.
    func behind(_ interceptor: any Interceptor) -> Client {
        var client = self
        client.interceptors.insert(interceptor, at: 0)
        return client
    }

    /// This client with another observer.
    func observed(by observer: any ExchangeObserver) -> Client {
        var client = self
        client.observers.append(observer)
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
