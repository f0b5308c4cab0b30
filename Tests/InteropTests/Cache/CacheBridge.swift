import Errand
import ErrandTesting
import TestSupport

/// A server that receives descriptions of requests, and sends these requests with a client that has an ``HTTPCache``.
struct CacheBridge: Sendable {
    /// A request, as `fetch` of the tests describes it.
    private struct Order: Decodable, Sendable {
        var url: URL
        var method: String?
        var headers: [[String]]
        var body: String?
        var cache: String?
        var redirect: String?
    }

    private struct Outcome: Encodable, Sendable {
        var status = 0
        var fields: [[String]] = []
        var body = ""
        var failure: String?
    }

    let server: MockServer

    init() throws {
        server = try MockServer()
        // The requests have a field with their number, which the cache would take for a credential.
        let cache = HTTPCache(usesHeuristicFreshness: true, partition: { _ in "browser" })
        server.onAny { request in
            let order = try FastJSONDecoder().decode(Order.self, from: request.body)
            return .json(try FastJSONEncoder().encode(await Self.send(order, cache)))
        }
    }

    private static func send(_ order: Order, _ cache: HTTPCache) async throws -> Outcome {
        do {
            let response = try await BridgedRequest(order, cache).start().value
            return Outcome(
                status: response.statusCode, fields: response.headers.map { [$0.name, $0.value] },
                body: String(decoding: response.data, as: UTF8.self))
        } catch {
            return Outcome(failure: "\(error)")
        }
    }

    private final class BridgedRequest: APIBase, Request {
        init(_ order: Order, _ cache: HTTPCache) {
            super.init()
            baseURL = order.url
            method = RequestMethod(rawValue: order.method ?? "GET")
            for field in order.headers where field.count == 2 { headers.add(field[0], field[1]) }
            if let text = order.body { body = .text(text) }
            redirectPolicy = order.redirect == "manual" ? .ignore : .follow
            cachePolicy = order.cache == "no-cache" ? .reloadRevalidatingCacheData : .useProtocolCachePolicy
            interceptors = [cache]
        }

        func start() -> Pipeline<DataResponse, any Error> {
            sendRequest()
        }
    }
}
