import Errand
import ErrandTesting
import TestSupport
import Testing

struct `A log` {
    private let clock = ManualClock()
    private let entries = Recorder<LogEntry>()

    private func logging(_ level: LogLevel = .trace) -> LoggingInterceptor {
        LoggingInterceptor(
            level: level, clock: clock, sink: { [entries] in entries.record($0) }, requestID: { _ in "7" })
    }

    private var lines: [String] { entries.elements.map { "\($0.level): \($0)" } }

    /// Responds after a delay.
    private func responding(_ status: Int, after duration: Duration = .zero) -> Next {
        Next { [clock] _ in
            clock.advance(by: duration)
            return DataResponse(statusCode: status, data: Data("body".utf8))
        }
    }

    @Test func `a log has an entry for the request and one for the response with its duration`() async throws {
        _ = try await logging(.debug).intercept(
            limitedRequest("https://api.example.com/users?page=2"), next: responding(200, after: .microseconds(12_340)))
        #expect(
            lines == [
                "debug: [7] -> GET https://api.example.com/users?page=***",
                "info: [7] <- 200 GET https://api.example.com/users?page=*** (12.3 ms, 4 bytes)",
            ])
        #expect(
            entries.elements.last?.fields == [
                "request_id": "7", "event": "response", "method": "GET",
                "url": "https://api.example.com/users?page=***", "status": "200", "source": "network",
                "duration_ms": "12.340", "bytes": "4",
            ])
    }

    @Test(arguments: [
        (200, LogLevel.info), (304, .info), (404, .notice), (429, .notice), (500, .warning), (503, .warning),
    ])
    func `the log level of a response depends on its status`(_ status: Int, _ level: LogLevel) async throws {
        _ = try await logging().intercept(limitedRequest(), next: responding(status))
        #expect(entries.elements.map(\.level) == [.debug, level])
    }

    @Test(arguments: LogLevel.allCases)
    func `entries below the level of the log are not created`(_ level: LogLevel) async throws {
        for status in [200, 404, 500] {
            _ = try await logging(level).intercept(limitedRequest(), next: responding(status))
        }
        #expect(entries.elements.allSatisfy { $0.level >= level })
        let expected = [LogLevel.debug, .info, .debug, .notice, .debug, .warning].filter { $0 >= level }
        #expect(entries.elements.map(\.level) == expected)
    }

    @Test func `a log entry of a failure contains the error`() async throws {
        let next = Next { [clock] _ in
            clock.advance(by: .seconds(2))
            throw ErrandError(transportFailure: URLError(.cannotConnectToHost))
        }
        await expectFailure(.transportFailed) { try await logging(.info).intercept(limitedRequest(), next: next) }
        #expect(lines.count == 1)
        #expect(
            lines.first?.hasPrefix(
                "error: [7] !! GET https://api.example.com/users: transportFailed: could not connect to the server")
                == true)
        #expect(lines.first?.hasSuffix("(2000.0 ms)") == true)
        #expect(entries.elements.first?.errorCode == "transportFailed")
    }

    @Test func `a log entry of an unknown error contains only its type`() async throws {
        struct Secretive: Error, CustomStringConvertible {
            var description: String { "hunter2" }
        }
        await #expect(throws: Secretive.self) {
            try await logging(.info).intercept(limitedRequest(), next: Next { _ in throw Secretive() })
        }
        #expect(lines == ["error: [7] !! GET https://api.example.com/users: Secretive (0.0 ms)"])
    }

    @Test func `a cancelled request is logged at debug level`() async throws {
        for error in [CancellationError(), ErrandError(.cancelled), URLError(.cancelled)] as [any Error] {
            _ = try? await logging().intercept(limitedRequest(), next: Next { _ in throw error })
        }
        #expect(entries.elements.filter { $0.event == .failure }.map(\.level) == [.debug, .debug, .debug])
        #expect(entries.elements.last?.errorCode == "cancelled")
    }

    @Test func `a logger that is listed twice logs each attempt with the same ID`() async throws {
        struct Thrice: Interceptor {
            func intercept(_ request: TransportRequest, next: Next) async throws -> DataResponse {
                for _ in 1...2 { _ = try? await next(request) }
                return try await next(request)
            }
        }
        final class Logged: APIBase, Request {
            func start() -> Pipeline<DataResponse, any Error> { sendRequest() }
        }
        let ids = Locked(0)
        let logging = LoggingInterceptor(
            level: .trace,
            clock: clock, sink: { [entries] in entries.record($0) },
            requestID: { _ in
                ids.withLock { ids in
                    ids += 1
                    return "\(ids)"
                }
            })
        let request = Logged()
        request.baseURL = URL(string: "https://api.example.com")
        request.interceptors = [logging, Thrice(), logging]
        request.dataTaskPipeline = request.stub(inTurn: [
            request.stub(error: URLError(.networkConnectionLost)), request.stubResponse(statusCode: 503),
            request.stubResponse(statusCode: 204),
        ])
        _ = try await request.start().value
        let summary = entries.elements.map { entry in
            [entry.requestID, "\(entry.level)", entry.event.rawValue, entry.attempt.map(String.init)].compactMap(\.self)
                .joined(separator: " ")
        }
        #expect(
            summary == [
                "1 debug request", "1 trace request 1", "1 notice failure 1", "1 trace request 2",
                "1 notice response 2",
                "1 trace request 3", "1 debug response 3", "1 info response",
            ])
        #expect("\(entries.elements[4])".contains("(Logged, attempt 2, "))
        _ = try? await request.start().value
        #expect(entries.elements.last?.requestID == "2")
    }

    @Test func `the attempts of a retry policy have one log ID and a number`() async throws {
        let ids = Locked(0)
        let logging = LoggingInterceptor(
            clock: clock, sink: { [entries] in entries.record($0) },
            requestID: { _ in
                ids.withLock { ids in
                    ids += 1
                    return "\(ids)"
                }
            })
        let request = limitedAPIRequest()
        request.retryPolicy = RetryPolicy(backoff: .immediate)
        request.interceptors = [logging]
        request.dataTaskPipeline = request.stub(inTurn: [
            request.stubResponse(statusCode: 503), request.stub(error: URLError(.networkConnectionLost)),
            request.stubResponse(statusCode: 204), request.stubResponse(statusCode: 204),
        ])
        _ = try await request.sendRequest().value
        #expect(entries.elements.map(\.requestID) == ["1", "1", "1"])
        #expect(entries.elements.map(\.attempt) == [1, 2, 3])
        #expect(entries.elements.map(\.level) == [.warning, .error, .info])
        _ = try await request.sendRequest().value
        #expect(entries.elements.last.map { [$0.requestID, "\($0.attempt ?? 0)"] } == ["2", "1"])
    }

    private func limitedAPIRequest() -> APIBase {
        let request = APIBase()
        request.baseURL = URL(string: "https://api.example.com")
        return request
    }

    @Test func `a request that is sent within another request has its own log ID`() async throws {
        let ids = Locked(["outer", "inner"])
        let logging = LoggingInterceptor(
            level: .debug, clock: clock,
            sink: { [entries] in entries.record($0) }, requestID: { _ in ids.withLock { $0.removeFirst() } })
        let token = limitedRequest("https://auth.example.com/token", method: "POST")
        let next = Next { [respond = responding(200)] request in
            _ = try await logging.intercept(token, next: respond)
            return try await respond(request)
        }
        _ = try await logging.intercept(limitedRequest(), next: next)
        #expect(entries.elements.map(\.requestID) == ["outer", "inner", "inner", "outer"])
        #expect(entries.elements.allSatisfy { $0.attempt == nil })
    }

    @Test(arguments: ["ended", "failed", "released"])
    func `the head and the end of a stream are logged`(_ end: String) async throws {
        let pieces = Locked([Data("abc".utf8), Data("de".utf8)])
        let next = Next { _ in
            DataResponse(
                statusCode: 200, headers: [:],
                body: ResponseBody {
                    let piece = pieces.withLock { $0.isEmpty ? nil : $0.removeFirst() }
                    if piece == nil, end == "failed" { throw URLError(.networkConnectionLost) }
                    return piece
                })
        }
        var response: DataResponse? = try await logging().intercept(limitedRequest(), next: next)
        var iterator = response?.body.makeAsyncIterator()
        #expect(entries.elements.map(\.event) == [.request, .response])
        #expect(entries.elements.last?.bodySize == nil)
        clock.advance(by: .seconds(3))
        _ = try await iterator?.next()
        if end != "released" { while (try? await iterator?.next()) != nil {} }
        iterator = nil
        response = nil
        #expect(entries.elements.count == 3)
        let last = try #require(entries.elements.last)
        #expect(last.event == (end == "failed" ? .failure : .bodyEnd))
        #expect(last.level == (end == "failed" ? .error : .debug))
        #expect(last.bodySize == (end == "released" ? 3 : 5))
        #expect(last.duration == .seconds(3))
    }

    @Test func `the source of a response that is not from the server is logged`() async throws {
        let next = Next { _ in
            var response = DataResponse(statusCode: 200)
            response.source = .cache
            return response
        }
        _ = try await logging().intercept(limitedRequest(), next: next)
        #expect(lines.last?.hasSuffix("(0.0 ms, 0 bytes, from cache)") == true)
    }

    @Test func `header fields, bodies and curl commands are part of the log entry`() async throws {
        var disclosure = LogDisclosure()
        disclosure.allows = { item, _ in item == .body(mediaType: "text/plain") }
        disclosure.showsCurlCommand = true
        let logging = LoggingInterceptor(
            level: .trace, disclosure: disclosure, clock: clock,
            sink: { [entries] in entries.record($0) }, requestID: { _ in "7" })
        var request = limitedRequest(method: "PUT", headers: ["Accept": "*/*", "Content-Type": "text/plain"])
        request.urlRequest.httpBody = Data("one\ntwo".utf8)
        _ = try await logging.intercept(request, next: responding(200))
        #expect(
            lines.first == """
                debug: [7] -> PUT https://api.example.com/users (7 bytes) {Accept: */*, Content-Type: text/plain} one\\ntwo \
                curl -X PUT -H 'Accept: */*' -H 'Content-Type: text/plain' --data-raw 'one\\ntwo' \
                https://api.example.com/users
                """)
    }

    @Test func `log IDs are eight random hexadecimal digits`() {
        let ids = (0..<100).map { _ in LoggingInterceptor.randomID() }
        #expect(ids.allSatisfy { $0.count == 8 && $0.allSatisfy(\.isHexDigit) })
        #expect(Set(ids).count > 90)
    }

    @Test func `a logger without a sink passes requests on`() async throws {
        let logging = LoggingInterceptor(level: .trace, sink: nil)
        #expect(try await logging.intercept(limitedRequest(), next: responding(200)).statusCode == 200)
    }

    @Test func `the line sink writes one line per entry`() async throws {
        let pipe = Pipe()
        let logging = LoggingInterceptor(
            level: .debug, clock: clock, sink: LoggingInterceptor.lines(to: pipe.fileHandleForWriting),
            requestID: { _ in "7" })
        _ = try await logging.intercept(limitedRequest(), next: responding(200))
        try pipe.fileHandleForWriting.close()
        let text = String(decoding: try pipe.fileHandleForReading.readToEnd() ?? Data(), as: UTF8.self)
        #expect(
            text == """
                debug: [7] -> GET https://api.example.com/users
                info: [7] <- 200 GET https://api.example.com/users (0.0 ms, 4 bytes)

                """)
    }

    @Test func `the default sink exists only in debug builds`() {
        var isDebugBuild = false
        assert(
            {
                isDebugBuild = true
                return true
            }())
        #expect((LoggingInterceptor.standardErrorInDebugBuilds != nil) == isDebugBuild)
    }
}
