import Errand
import ErrandMockServer
import ErrandTesting
import TestSupport
import Testing

@testable import ErrandResilience

struct `A failover` {
    private let clock = ManualClock()
    private let sent = Recorder<String>()
    private static let bases = ["https://one.example/v1", "https://two.example/api/", "http://three.example:8080"]

    private enum Outcome: Sendable {
        case status(Int)
        case failure(URLError.Code)
    }

    private func next(_ outcomes: [String: Outcome] = [:]) -> Next {
        Next { [sent] request in
            sent.record(request.urlRequest.url?.absoluteString ?? "")
            switch outcomes[request.urlRequest.url?.host ?? ""] ?? .status(200) {
            case .status(let status): return DataResponse(statusCode: status)
            case .failure(let code): throw TransportFailure(URLError(code))
            }
        }
    }

    private func failover() -> Failover { Failover(Self.bases, downtime: .seconds(30), clock: clock) }

    @Test func `a token server that cannot be reached says nothing about the servers`() async throws {
        let failover = failover()
        let authentication = TokenAuthentication(token: nil, clock: clock) { _ in
            throw URLError(.cannotConnectToHost)
        }
        let next = next().preceded(by: [failover, authentication])
        let error = await expectFailure(.transportFailed) {
            try await next(limitedRequest("https://one.example/v1/books"))
        }
        #expect(failover.unavailableURLs.isEmpty && sent.elements.isEmpty)
        #expect(CircuitBreaker.verdict(on: .failure(try #require(error))) == .neither)
    }

    private func send(
        _ failover: Failover, _ outcomes: [String: Outcome] = [:],
        to url: String = "https://one.example/v1/books?page=2#x", method: String = "GET"
    ) async throws -> DataResponse {
        try await failover.intercept(limitedRequest(url, method: method), next: next(outcomes))
    }

    @Test func `failover sends a request to the first available server with the rest of the URL`() async throws {
        let failover = failover()
        _ = try await send(failover)
        let response = try await send(
            failover, ["one.example": .failure(.cannotConnectToHost), "two.example": .status(503)])
        #expect(response.statusCode == 200)
        #expect(
            sent.elements == [
                "https://one.example/v1/books?page=2#x", "https://one.example/v1/books?page=2#x",
                "https://two.example/api/books?page=2#x", "http://three.example:8080/books?page=2#x",
            ])
        #expect(failover.unavailableURLs.map(\.host) == ["one.example", "two.example"])
    }

    @Test func `a failed server is skipped for the downtime and then tried again`() async throws {
        let failover = failover()
        _ = try await send(failover, ["one.example": .failure(.cannotFindHost)])
        _ = try await send(failover)
        clock.advance(by: .milliseconds(29_999))
        _ = try await send(failover)
        clock.advance(by: .milliseconds(1))
        _ = try await send(failover)
        _ = try await send(failover)
        #expect(
            sent.elements.compactMap { URL(string: $0)?.host?.prefix(3) } == [
                "one", "two", "two", "two", "one", "one",
            ])
        #expect(failover.unavailableURLs.isEmpty)
    }

    @Test func `a request that cannot be sent twice is not used as a trial`() {
        var state = FailoverState(count: 2, downtime: .seconds(30))
        state.failed(0, now: .zero)
        #expect(state.order(now: .seconds(30), canTry: false) == [1, 0])
        #expect(state.order(now: .seconds(30)) == [0, 1])
    }

    @Test func `failover ends with the resource timeout and does not blame a server without time`() async throws {
        for (seconds, attempts, down) in [(10, 1, ["one.example"]), (6, 2, ["one.example"])] {
            let clock = ManualClock()
            let failover = Failover(Self.bases, downtime: .seconds(30), clock: clock)
            let count = Locked(0)
            let next = Next { _ in
                let isFirst = count.withLock { count in
                    count += 1
                    return count == 1
                }
                clock.advance(by: isFirst ? .seconds(seconds) : .seconds(10 - seconds))
                throw URLError(.timedOut)
            }
            let request = limitedRequest("https://one.example/v1/a", resourceTimeout: .seconds(10))
            await #expect(throws: URLError.self) { _ = try await failover.intercept(request, next: next) }
            #expect(count.withLock { $0 } == attempts)
            #expect(failover.unavailableURLs.compactMap(\.host) == down)
        }
    }

    @Test(arguments: [ErrandError.Code.rateLimited, .concurrencyLimited])
    func `failover uses the next server if a limit rejects a request, without marking a failure`(
        _ code: ErrandError.Code
    ) async throws {
        let failover = failover()
        let next = Next { [sent] request in
            sent.record(request.urlRequest.url?.host ?? "")
            if sent.elements.count == 1 { throw ErrandError(code) }
            return DataResponse(statusCode: 200)
        }
        let request = limitedRequest("https://one.example/v1/a", method: "POST")
        #expect(try await failover.intercept(request, next: next).statusCode == 200)
        #expect(sent.elements == ["one.example", "two.example"])
        #expect(failover.unavailableURLs.isEmpty)
    }

    @Test func `a body that can be read only once goes to the next server if no server has read it`() async throws {
        for (isRefused, expected) in [(true, ["one.example", "two.example"]), (false, ["one.example"])] {
            let failover = failover()
            let hosts = Recorder<String>()
            let next = Next { request in
                hosts.record(request.urlRequest.url?.host ?? "")
                if hosts.elements.count > 1 { return DataResponse(statusCode: 200) }
                throw isRefused ? ErrandError.refused(.circuitOpen, reason: "open") : URLError(.cannotConnectToHost)
            }
            var request = limitedRequest("https://one.example/v1/a", method: "PUT")
            request.bodyStream = BodyStream(InputStream(data: Data("a".utf8)))
            let response = try? await failover.intercept(request, next: next)
            #expect((response?.statusCode == 200) == isRefused)
            #expect(hosts.elements == expected)
        }
    }

    @Test func `failover ignores the case of the scheme and keeps the user info of the URL`() async throws {
        let failover = Failover(["HTTPS://one.example/v1", "https://two.example"])
        _ = try await send(failover, to: "https://user:pw@one.example/v1/a")
        _ = try await send(failover, ["one.example": .failure(.cannotFindHost)], to: "https://user:pw@one.example/v1/a")
        #expect(
            sent.elements == [
                "https://user:pw@one.example/v1/a", "https://user:pw@one.example/v1/a", "https://two.example/a",
            ])
    }

    @Test func `only one request is sent as a trial of a failed server`() {
        var state = FailoverState(count: 2, downtime: .seconds(30))
        state.failed(0, now: .zero)
        #expect(state.order(now: .seconds(29)) == [1, 0])
        #expect(state.order(now: .seconds(30)) == [0, 1])
        #expect(state.order(now: .seconds(31)) == [1, 0])
        state.worked(0)
        #expect(state.order(now: .seconds(31)) == [0, 1])
    }

    @Test func `all servers are tried if all have failed, beginning with the first to fail`() async throws {
        let failover = failover()
        let down: [String: Outcome] = [
            "one.example": .status(502), "two.example": .status(503), "three.example": .status(504),
        ]
        #expect(try await send(failover, down).statusCode == 504)
        clock.advance(by: .seconds(1))
        #expect(try await send(failover, down).statusCode == 504)
        #expect(sent.elements.count == 6)
        #expect(failover.unavailableURLs.count == 3)
    }

    @Test(arguments: ["POST", "PATCH"])
    func `a request that is not idempotent and may have arrived is not sent again`(_ method: String) async throws {
        for code in [URLError.Code.timedOut, .networkConnectionLost] {
            await #expect(throws: TransportFailure.self) {
                _ = try await send(failover(), ["one.example": .failure(code)], method: method)
            }
        }
        #expect(try await send(failover(), ["one.example": .status(503)], method: method).statusCode == 503)
        #expect(sent.elements.count == 3)
    }

    @Test(arguments: [
        URLError.Code.cannotConnectToHost, .cannotFindHost, .dnsLookupFailed, .notConnectedToInternet,
        .serverCertificateHasBadDate,
    ])
    func `a POST request that was not sent uses the next server`(_ code: URLError.Code) async throws {
        #expect(try await send(failover(), ["one.example": .failure(code)], method: "POST").statusCode == 200)
    }

    @Test(arguments: [400, 404, 429, 500, 501])
    func `other error responses do not cause a failover`(_ status: Int) async throws {
        let failover = failover()
        #expect(try await send(failover, ["one.example": .status(status)]).statusCode == status)
        #expect(failover.unavailableURLs.isEmpty)
    }

    @Test func `an open circuit causes a failover`() async throws {
        let breaker = CircuitBreaker(tripping: .consecutiveFailures(1), clock: clock)
        let failover = failover()
        let inner = next(["one.example": .status(500)])
        let guarded = Next { request in try await breaker.intercept(request, next: inner) }
        for _ in 1...2 { _ = try await failover.intercept(limitedRequest("https://one.example/v1/a"), next: guarded) }
        #expect(sent.elements == ["https://one.example/v1/a", "https://two.example/api/a"])
    }

    @Test(arguments: [
        "https://other.example/v1/a", "https://one.example/v10/a", "https://one.example/", "http://one.example/v1/a",
    ])
    func `URLs of other servers are not changed by failover`(_ url: String) async throws {
        let failover = failover()
        await #expect(throws: TransportFailure.self) {
            _ = try await send(
                failover, ["other.example": .failure(.timedOut), "one.example": .failure(.timedOut)], to: url)
        }
        #expect(sent.elements == [url])
        #expect(failover.unavailableURLs.isEmpty)
    }

    @Test(arguments: ["https://two.example/api", "https://two.example/api/"])
    func `a URL of any base is sent to the first base`(_ url: String) async throws {
        _ = try await send(failover(), to: url)
        #expect(sent.elements == ["https://one.example/v1" + (url.hasSuffix("/") ? "/" : "")])
    }

    @Test(arguments: ["ftp://one.example", "one.example", "https://one.example?a=1", "", "https://["])
    func `failover with an invalid base URL fails`(_ base: String) async throws {
        let failover = Failover(["https://one.example", base])
        let error = await expectFailure(.invalidURL) {
            try await failover.intercept(limitedRequest("https://one.example/a"), next: next())
        }
        #expect(error?.reason == "base URL 2 of the failover is not an HTTP URL without a query")
        #expect(sent.elements.isEmpty)
    }

    @Test func `a request with a one-time body is sent only once`() async throws {
        var request = limitedRequest("https://one.example/v1", method: "PUT")
        request.bodyStream = BodyStream(AsyncStream { $0.finish() })
        await #expect(throws: TransportFailure.self) {
            _ = try await failover().intercept(request, next: next(["one.example": .failure(.cannotFindHost)]))
        }
        #expect(sent.elements.count == 1)
    }

    @Test func `failover works over real connections`() async throws {
        let refusing = try MockServer.refusing()
        let server = try MockServer()
        defer { server.stop() }
        server.on(.post, "/v1/books") { .text($0.text) }
        let failover = Failover([refusing.url.absoluteString, server.url.appendingPathComponent("v1").absoluteString])
        let request = Posting(failover)
        let response = try await request.start().value
        #expect(try response.text() == "Malafrena")
        #expect(response.url?.port == server.url.port)
        #expect(failover.unavailableURLs == [refusing.url])
    }

    private final class Posting: APIBase, Request {
        init(_ failover: Failover) {
            super.init()
            baseURL = failover.baseURLs.first
            timeoutInterval = .hangGuard
            method = .post
            path = "/books"
            body = .text("Malafrena")
            interceptors = [failover]
        }

        func start() -> Pipeline<DataResponse, any Error> { sendRequest() }
    }
}
