import TestSupport

@testable import Errand

/// A clock whose date a test sets. It starts at the beginning of 2026.
final class WallClock: Sendable {
    static let start = Date(timeIntervalSince1970: 1_767_225_600)
    private let date = Locked(start)

    var now: Date { date.withLock { $0 } }
    var read: @Sendable () -> Date { { self.now } }

    func advance(by seconds: TimeInterval) {
        date.withLock { $0 += seconds }
    }
}

/// A simulated server: it receives every request, and returns the responses in turn.
final class Origin: Transport {
    typealias Handler = @Sendable (URLRequest) async throws -> DataResponse

    private let received = Recorder<URLRequest>()
    private let handlers: Locked<[Handler]>

    /// - Parameter handlers: The closures that return the responses in turn; the last one is repeated.
    init(_ handlers: Handler...) {
        self.handlers = Locked(handlers)
    }

    convenience init(_ response: DataResponse) {
        self.init { _ in response }
    }

    var requests: [URLRequest] { received.elements }
    var count: Int { requests.count }

    func send(_ request: TransportRequest) async throws -> DataResponse {
        received.record(request.urlRequest)
        let handler = handlers.withLock { $0.count > 1 ? $0.removeFirst() : $0[0] }
        return try await handler(request.urlRequest)
    }
}

/// Sends a request through a cache.
final class CacheableRequest: APIBase, Request {
    init(_ cache: HTTPCache, _ origin: some Transport, path: String = "/things", headers: HeaderFields = [:]) {
        super.init()
        baseURL = URL(string: "https://api.example.com")
        self.path = RequestPath(path)
        self.headers = headers
        session = origin
        interceptors = [cache]
    }

    func start() -> Pipeline<DataResponse, any Error> { sendRequest() }
}

extension HTTPCache {
    /// Sends a GET through this cache.
    func get(
        _ origin: some Transport, _ path: String = "/things", headers: HeaderFields = [:],
        method: RequestMethod = .get, cachePolicy: URLRequest.CachePolicy = .useProtocolCachePolicy
    ) async throws -> DataResponse {
        let request = CacheableRequest(self, origin, path: path, headers: headers)
        request.method = method
        request.cachePolicy = cachePolicy
        return try await request.start().value
    }
}

extension DataResponse {
    /// A response with the status 200 and this text.
    static func ok(_ text: String, _ headers: HeaderFields = [:]) -> DataResponse {
        DataResponse(statusCode: 200, headers: headers, data: Data(text.utf8))
    }
}

extension CacheEntry {
    /// An entry that was received at the beginning of 2026, without delay.
    static func stored(
        _ headers: HeaderFields, statusCode: Int = 200, body: String = "stored", sent: TimeInterval = 0
    ) -> CacheEntry {
        CacheEntry(
            statusCode: statusCode, headers: headers, body: Data(body.utf8),
            requestDate: WallClock.start - sent, responseDate: WallClock.start,
            variant: CacheEntry.variant(of: URLRequest(url: URL(filePath: "/")), varyingBy: headers))
    }
}

extension CacheKey {
    static func named(_ name: String, partition: String = "") -> CacheKey {
        CacheKey(resource: name, partition: partition)
    }
}
