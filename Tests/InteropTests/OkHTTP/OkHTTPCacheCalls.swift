import Errand
import ErrandMockServer
import ErrandTesting
import TestSupport

/// The calls of okhttp's tests of caches, with ``HTTPCache``.
final class OkHTTPCacheCalls: KotlinLibrary {
    /// A response that the server sends.
    struct Response {
        var status = 200
        var headers: [(name: String, value: String)] = []
        var body = ""

        var mock: MockResponse {
            let fields = headers.map { HeaderFields.Field($0.name, $0.value) }
            let hasBody = status != 204 && status != 304 && status != 205
            // With an unknown transfer coding, a body ends with the connection (RFC 9112, section 6.3).
            let hasCoding = headers.contains { $0.name.lowercased() == "transfer-encoding" }
            return MockResponse(
                statusCode: status, headers: HeaderFields(fields), body: hasBody ? .sized(Data(body.utf8)) : .empty
            )
            .with(closesConnection: hasCoding)
        }
    }

    /// A request that a test sends.
    struct Call {
        var url: URL?
        var method = "GET"
        var headers: [(name: String, value: String)] = []
        var body: String?
    }

    /// The response that a test receives.
    struct Outcome {
        var status: Int
        var headers: HeaderFields
        var body: String
    }

    private final class CachedRequest: APIBase, Request {
        func start() -> Pipeline<DataResponse, any Error> { sendRequest() }
    }

    private let server: MockServer
    private let queue = Locked<[MockResponse]>([])
    private let seen = Locked<[HeaderFields]>([])
    private let cache = HTTPCache(usesHeuristicFreshness: true)

    init() throws {
        server = try MockServer()
        server.onAny { [queue, seen] request in
            seen.withLock { $0.append(request.headers) }
            return queue.withLock { $0.isEmpty ? .status(599) : $0.removeFirst() }
        }
    }

    func call(_ name: String, on receiver: KotlinValue?, _ arguments: [KotlinValue]) async throws -> KotlinValue {
        switch receiver {
        case .response(let response)?: return try change(response, name, arguments)
        case .request(let call)? where name == "execute": return .outcome(await send(call))
        case .request(let call)?: return try change(call, name, arguments)
        case .outcome(let outcome)?: return try read(outcome, name, arguments)
        default: break
        }
        switch (name, receiver, arguments.first) {
        case ("Builder", .symbol("MockResponse")?, nil), ("MockResponse", nil, nil): return .response(Response())
        case ("Builder", .symbol("Request")?, nil): return .request(Call())
        case ("Request", nil, .url(let url)?): return .request(Call(url: url))
        case ("url", .symbol("server")?, .text(let path)?):
            return .url(try URL.of(server.url.absoluteString + path))
        case ("enqueue", .symbol("server")?, .response(let response)?): queue.withLock { $0.append(response.mock) }
        case ("takeRequest", .symbol("server")?, _):
            return .received(seen.withLock { $0.isEmpty ? HeaderFields() : $0.removeFirst() })
        case ("start", .symbol("server")?, _), ("close", _, _): break
        case ("get", nil, .url(let url)?): return .outcome(await send(Call(url: url)))
        case ("get", .received(let headers)?, .text(let field)?): return headers[field].map { .text($0) } ?? .null
        case ("newCall", .symbol("client")?, .request(let call)?): return .request(call)
        case ("formatDate", nil, .number(let count)?):
            guard case .number(let unit)? = arguments.last else { break }
            return .text(HTTPDate(Date() + Double(count * unit)).description)
        case ("requestBodyOrNull", nil, .text(let method)?):
            return ["POST", "PUT", "QUERY"].contains(method) ? .text("foo") : .null
        case ("toRequestBody", .text(let text)?, _): return .text(text)
        case ("toMediaType", .text(let text)?, _): return .text(text)
        case ("newBuilder", .url(let url)?, nil), ("build", .url(let url)?, nil): return .url(url)
        case ("addQueryParameter", .url(let url)?, .text(let field)?):
            guard case .text(let value)? = arguments.last else { break }
            return .url(url.appending(queryItems: [URLQueryItem(name: field, value: value)]))
        // The counts of okhttp's cache.
        case (_, .symbol("cache")?, _): return .symbol("count")
        default: throw KotlinUnsupported(reason: "call \(name)")
        }
        return .null
    }

    func member(_ name: String, of value: KotlinValue) throws -> KotlinValue {
        switch (name, value) {
        case ("SECONDS", .symbol("TimeUnit")): return .number(1)
        case ("MINUTES", .symbol("TimeUnit")): return .number(60)
        case ("HOURS", .symbol("TimeUnit")): return .number(3600)
        case ("DAYS", .symbol("TimeUnit")): return .number(86_400)
        case ("HTTP_OK", _): return .number(200)
        case ("HTTP_PARTIAL", _): return .number(206)
        case ("HTTP_MOVED_PERM", _): return .number(301)
        case ("HTTP_MOVED_TEMP", _): return .number(302)
        case ("HTTP_NOT_MODIFIED", _): return .number(304)
        case ("HTTP_NO_CONTENT", _): return .number(204)
        case ("HTTP_RESET", _): return .number(205)
        case ("HTTP_CLIENT_TIMEOUT", _): return .number(408)
        case ("code", .outcome(let outcome)): return .number(outcome.status)
        case ("body", .outcome), ("headers", .received): return value
        case ("message", .outcome): return .symbol("message")
        case ("requestCount", .symbol("server")): return .symbol("count")
        default: throw KotlinUnsupported(reason: "member \(name)")
        }
    }

    private func change(_ response: Response, _ name: String, _ arguments: [KotlinValue]) throws -> KotlinValue {
        var response = response
        switch (name, arguments.first, arguments.dropFirst().first) {
        case ("addHeader", .text(let line)?, nil):
            let parts = line.split(separator: ":", maxSplits: 1)
            let value = parts.dropFirst().first?.trimmingCharacters(in: .whitespaces) ?? ""
            response.headers.append((String(parts[0]), value))
        case ("addHeader", .text(let field)?, .text(let value)?), ("setHeader", .text(let field)?, .text(let value)?):
            response.headers.append((field, value))
        case ("code", .number(let code)?, nil): response.status = code
        case ("body", .text(let text)?, nil): response.body = text
        case ("build", nil, nil), ("newBuilder", nil, nil), ("status", _, nil): break
        default: throw KotlinUnsupported(reason: "call \(name)")
        }
        return .response(response)
    }

    private func change(_ call: Call, _ name: String, _ arguments: [KotlinValue]) throws -> KotlinValue {
        var call = call
        switch (name, arguments.first, arguments.dropFirst().first) {
        case ("url", .url(let url)?, nil): call.url = url
        case ("header", .text(let field)?, .text(let value)?), ("addHeader", .text(let field)?, .text(let value)?):
            call.headers.append((field, value))
        case ("method", .text(let method)?, let body):
            call.method = method
            if case .text(let text)? = body { call.body = text }
        case ("post", .text(let text)?, nil), ("put", .text(let text)?, nil):
            (call.method, call.body) = (name.uppercased(), text)
        case ("build", nil, nil), ("newBuilder", nil, nil): break
        default: throw KotlinUnsupported(reason: "call \(name)")
        }
        return .request(call)
    }

    private func read(_ outcome: Outcome, _ name: String, _ arguments: [KotlinValue]) throws -> KotlinValue {
        switch (name, arguments.first) {
        // RFC 9111 has no warnings any more.
        case ("header", .text("Warning")?): return .symbol("warning")
        case ("header", .text(let field)?): return outcome.headers[field].map { .text($0) } ?? .null
        case ("string", nil): return .text(outcome.body)
        case ("source", nil), ("close", nil): return .outcome(outcome)
        case ("exhausted", nil): return .flag(outcome.body.isEmpty)
        default: throw KotlinUnsupported(reason: "call \(name)")
        }
    }

    private func send(_ call: Call) async -> Outcome {
        let request = CachedRequest()
        request.url = call.url
        request.method = RequestMethod(rawValue: call.method)
        for field in call.headers { request.headers.add(field.name, field.value) }
        if let body = call.body { request.body = .text(body).withAnyMethod() }
        request.interceptors = [cache]
        request.timeoutInterval = .hangGuard
        switch await request.start().result {
        case .success(let response):
            return Outcome(
                status: response.statusCode, headers: response.headers,
                body: String(decoding: response.data, as: UTF8.self))
        case .failure(let error):
            // okhttp has a response for it (RFC 9111, section 5.2.1.7).
            let isNotCached = ErrandError.Code.notCached ~= error
            return Outcome(status: isNotCached ? 504 : 0, headers: HeaderFields(), body: isNotCached ? "" : "\(error)")
        }
    }
}
