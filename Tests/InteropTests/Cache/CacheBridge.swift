import Errand
import ErrandMockServer
import ErrandTesting
import TestSupport

/// A server that receives descriptions of requests, and sends these requests with a client that has an ``HTTPCache``.
struct CacheBridge: Sendable {
    /// A request: the arguments of the tests' call of `fetch`.
    private struct FetchedRequest: Decodable, Sendable {
        var url: URL
        var method: String?
        var headers: [[String]]
        var body: String?
        var cache: String?
        var redirect: String?
    }

    /// The response. If the request failed, `failure` is the reason.
    private struct FetchedResponse: Encodable, Sendable {
        var status = 0
        var fields: [[String]] = []
        var body = ""
        var failure: String?
    }

    let server: MockServer

    init() throws {
        server = try MockServer()
        // Each request has a header field with its number, which the cache would treat as a credential.
        let cache = HTTPCache(usesHeuristicFreshness: true, partition: { _ in "browser" })
        server.onAny { request in
            let fetched = try FastJSONDecoder().decode(FetchedRequest.self, from: request.body)
            return .json(try FastJSONEncoder().encode(await Self.send(fetched, cache)))
        }
    }

    private static func send(_ fetched: FetchedRequest, _ cache: HTTPCache) async throws -> FetchedResponse {
        do {
            let response = try await BridgedRequest(fetched, cache).start().value
            return FetchedResponse(
                status: response.statusCode, fields: response.headers.map { [$0.name, $0.value] },
                body: String(decoding: response.data, as: UTF8.self))
        } catch {
            return FetchedResponse(failure: "\(error)")
        }
    }

    private final class BridgedRequest: APIBase, Request {
        init(_ fetched: FetchedRequest, _ cache: HTTPCache) {
            super.init()
            baseURL = fetched.url
            method = RequestMethod(rawValue: fetched.method ?? "GET")
            for field in fetched.headers where field.count == 2 { headers.add(field[0], field[1]) }
            if let text = fetched.body { body = .text(text).withAnyMethod() }
            redirectPolicy = fetched.redirect == "manual" ? .ignore : .follow
            cachePolicy = fetched.cache == "no-cache" ? .reloadRevalidatingCacheData : .useProtocolCachePolicy
            interceptors = [cache]
        }

        func start() -> Pipeline<DataResponse, any Error> {
            sendRequest()
        }
    }
}
