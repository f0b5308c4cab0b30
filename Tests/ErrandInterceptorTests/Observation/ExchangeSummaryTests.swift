import Errand
import ErrandTesting
import TestSupport
import Testing

struct `A summary of exchanges` {
    private let clock = ManualClock()
    private let summary: ExchangeSummary

    init() {
        summary = ExchangeSummary(clock: clock)
    }

    /// Responds after a time of the clock.
    private struct Slow: Transport {
        let clock: ManualClock
        let status: Int
        let duration: Duration

        func send(_ request: TransportRequest) async throws -> DataResponse {
            clock.advance(by: duration)
            return DataResponse(statusCode: status, headers: [:])
        }
    }

    private func send(
        _ path: RequestPath, _ status: Int = 200, count: Int = 1, taking duration: Duration = .zero,
        to server: String = "https://api.example.com"
    ) async throws {
        for _ in 0..<count {
            let request = Retried(.never)
            request.baseURL = URL(string: server)
            request.path = path
            request.observers = [summary]
            request.session = Slow(clock: clock, status: status, duration: duration)
            _ = try await request.start().value
        }
    }

    @Test func `is a table, the most frequent first`() async throws {
        try await send("/users/\(1, as: "id")", count: 11, taking: .milliseconds(8))
        try await send("/users/\(1, as: "id")", taking: .milliseconds(240))
        try await send("/users/\(2, as: "id")", 404, taking: .milliseconds(3))
        try await send("/users", taking: .seconds(20))
        let table = """
            count      mean       p95  outcome  request
               12     27 ms    160 ms      200  GET /users/{id}
                1  20000 ms  10000 ms      200  GET /users
                1      3 ms      5 ms      404  GET /users/{id}
            """
        #expect(summary.description == table)
        let text = "/users"
        try await send(RequestPath(text))
        #expect(summary.description.split(separator: "\n").contains { $0.hasSuffix("200  GET") })
        try await send("/users", to: "http://localhost:8080")
        #expect(summary.description.contains("404  GET api.example.com:443/users/{id}"))
        #expect(summary.description.contains("200  GET localhost:8080/users"))
    }

    @Test func `the guide: the summary of a service is printed`() async throws {
        var library = APIService(baseURL: "https://library.example.com", session: ScriptedTransport(200))

        let summary = ExchangeSummary()
        library.settings.observers = [summary]

        _ = try await library.send(.get("/books/\(7, as: "id")")).value
        print(summary)

        #expect(summary.description.hasSuffix("200  GET /books/{id}"))
    }

    @Test func `has a line for a failure, and one for a cancellation`() async throws {
        for code in [URLError.Code.cannotFindHost, .cancelled] {
            let request = Retried(.never)
            request.observers = [summary]
            request.dataTaskPipeline = request.stub(error: URLError(code))
            _ = await request.start().result
        }
        #expect(summary.description.contains("  cannot_find_host  GET /users"))
        #expect(summary.description.contains("       cancelled  GET /users"))
    }

    @Test func `is text for Prometheus`() async throws {
        try await send("/users/\(1, as: "id")", count: 2, taking: .milliseconds(30))
        let text = summary.prometheusText
        let labels =
            #"http_request_method="GET",http_response_status_code="200",server_address="api.example.com","#
            + #"server_port="443",url_scheme="https",url_template="/users/{id}""#
        #expect(text.contains("# TYPE http_client_request_duration_seconds histogram\n"))
        #expect(text.contains("http_client_request_duration_seconds_bucket{\(labels),le=\"+Inf\"} 2\n"))
        #expect(text.contains("http_client_request_duration_seconds_count{\(labels)} 2\n"))
        #expect(text.contains("http_client_request_duration_seconds_bucket{\(labels),le=\"0.025\"} 0\n"))
        #expect(text.contains("http_client_request_duration_seconds_bucket{\(labels),le=\"0.05\"} 2\n"))
        #expect(text.contains("http_client_request_duration_seconds_sum{\(labels)} 0.06\n"))
        #expect(text.split(separator: "\n").filter { $0.contains("_bucket") }.count == 15)
        #expect(text.contains("# TYPE http_client_active_requests gauge\n"))
        #expect(text.hasSuffix(#"url_template="/users/{id}"} 0"# + "\n"))
    }

    @Test(arguments: ["http://a%0D%0Ab/", "http://a%22%CC%81b/", "http://a%1B%5B31mb/"])
    func `has no control character or quote of a host`(_ server: String) async throws {
        try await send("", to: server)
        #expect(summary.prometheusText.utf8.allSatisfy { $0 == 0x0A || 0x20..<0x7F ~= $0 })
        #expect(summary.prometheusText.contains(server.dropFirst(7).dropLast().lowercased()))
        #expect(summary.description.utf8.allSatisfy { $0 == 0x0A || 0x20..<0x7F ~= $0 })
    }

    @Test func `adds what differs only in what the table does not show`() async throws {
        for version in ["http/1.1", "h2"] {
            struct Answering: Transport {
                let version: String
                func send(_ request: TransportRequest) async throws -> DataResponse {
                    var response = DataResponse(statusCode: 200, headers: [:])
                    response.metrics = TransferMetrics()
                    response.metrics?.protocolName = version
                    return response
                }
            }
            let request = Retried(.never)
            request.observers = [summary]
            request.session = Answering(version: version)
            _ = try await request.start().value
        }
        #expect(summary.description.split(separator: "\n").count == 2)
        #expect(summary.description.contains("    2  0 ms"))
        #expect(summary.prometheusText.contains(#"network_protocol_version="2""#))
    }

    @Test func `counts what is active`() async throws {
        let (gate, summary) = (Gate(), summary)
        let request = Retried(.never)
        request.observers = [summary]
        request.session = GatedTransport(gate: gate)
        let start = request.start()
        let task = Task { try await start.value }
        try await gate.waitForArrivals(1)
        #expect(summary.prometheusText.hasSuffix("} 1\n"))
        gate.open()
        _ = try await task.value
        #expect(summary.prometheusText.hasSuffix("} 0\n"))
    }

    @Test func `counts in one line what exceeds 2,000 lines of a few servers`() async throws {
        for number in 1...3 {
            for status in 200..<870 { try await send("", status, to: "https://h\(number).example.com") }
        }
        let lines = summary.description.split(separator: "\n")
        #expect(lines.count == 2_002)
        #expect(lines[1].hasPrefix("   10"))
        #expect(lines[1].hasSuffix("_OTHER  _OTHER _OTHER:_OTHER"))
    }

    @Test func `counts in one line what exceeds 2,000 lines`() async throws {
        for number in 1...2_010 { try await send("", to: "https://h\(number).example.com") }
        let lines = summary.description.split(separator: "\n")
        #expect(lines.count == 2_002)
        #expect(lines[1].hasSuffix("_OTHER  _OTHER _OTHER:_OTHER"))
        #expect(lines[1].hasPrefix("   10"))
        #expect(
            summary.prometheusText.split(separator: "\n").filter { $0.hasPrefix("http_client_active") }.count == 2_001)
    }
}

/// Responds when a gate is open.
private struct GatedTransport: Transport {
    let gate: Gate

    func send(_ request: TransportRequest) async throws -> DataResponse {
        try await gate.pass()
        return DataResponse(statusCode: 200, headers: [:])
    }
}
