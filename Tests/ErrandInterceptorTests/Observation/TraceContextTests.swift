import Errand
import ErrandTesting
import TestSupport
import Testing

struct `A trace context` {
    /// Counts up from 1.
    private static func counting() -> @Sendable () -> UInt64 {
        let last = Locked<UInt64>(0)
        return {
            last.withLock { last in
                last += 1
                return last
            }
        }
    }

    private func request(_ transport: any Transport, _ policy: RetryPolicy = .immediate) -> Retried {
        let request = Retried(policy)
        request.session = transport
        request.observers = [TraceContext(random: Self.counting())]
        return request
    }

    private let incoming = TraceParent("00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01", state: "a=1,b=2")

    @Test func `each attempt is a new span of the same trace`() async throws {
        let transport = ScriptedTransport(503, 503, 200)
        _ = try await request(transport).start().value
        let parents = transport.values(of: "traceparent").compactMap { $0.flatMap { TraceParent($0) } }
        #expect(parents.count == 3)
        #expect(Set(parents.map(\.traceID)) == ["00000000000000010000000000000002"])
        #expect(Set(parents.map(\.parentID)).count == 3)
        #expect(parents.allSatisfy { !$0.isSampled })
        #expect(transport.values(of: "tracestate") == [nil, nil, nil])
    }

    @Test func `each request begins a new trace`() async throws {
        let transport = ScriptedTransport(200)
        let request = request(transport)
        _ = try await request.start().value
        _ = try await request.start().value
        let parents = transport.values(of: "traceparent").compactMap { $0.flatMap { TraceParent($0) } }
        #expect(Set(parents.map(\.traceID)).count == 2)
    }

    @Test func `a request continues the current trace of its task`() async throws {
        let transport = ScriptedTransport(503, 200)
        let request = request(transport)
        _ = try await TraceContext.$current.withValue(incoming) { try await request.start().value }
        let prefix = "00-4bf92f3577b34da6a3ce929d0e0e4736-"
        #expect(
            transport.values(of: "traceparent") == [prefix + "0000000000000001-01", prefix + "0000000000000002-01"])
        #expect(transport.values(of: "tracestate") == ["a=1,b=2", "a=1,b=2"])
    }

    @Test func `isSampled determines whether a new trace is recorded`() async throws {
        let transport = ScriptedTransport(200)
        let request = request(transport)
        request.observers = [TraceContext(isSampled: true)]
        _ = try await request.start().value
        #expect(transport.values(of: "traceparent").first??.hasSuffix("-03") == true)
    }

    @Test func `trace fields of a request are not replaced`() async throws {
        let transport = ScriptedTransport(200)
        let request = request(transport)
        request.headers["TraceParent"] = "mine"
        _ = try await TraceContext.$current.withValue(incoming) { try await request.start().value }
        #expect(transport.values(of: "traceparent") == ["mine"])
        #expect(transport.values(of: "tracestate") == [nil])
        request.headers = ["tracestate": "mine=1"]
        _ = try await TraceContext.$current.withValue(incoming) { try await request.start().value }
        #expect(transport.values(of: "tracestate") == [nil, "mine=1"])
        #expect(transport.values(of: "traceparent") == ["mine", nil])
    }

    @Test func `trace fields of a request are replaced with replacesFields`() async throws {
        let transport = ScriptedTransport(200)
        let request = request(transport)
        request.observers = [TraceContext(replacesFields: true, random: Self.counting())]
        request.headers["TraceParent"] = "mine"
        _ = try await TraceContext.$current.withValue(incoming) { try await request.start().value }
        #expect(transport.values(of: "traceparent") == ["00-4bf92f3577b34da6a3ce929d0e0e4736-0000000000000001-01"])
    }

    @Test func `the state of another trace is never sent with the trace of the task`() async throws {
        let transport = ScriptedTransport(200)
        let request = request(transport)
        request.headers["tracestate"] = "mine=1"
        _ = try await request.start().value
        request.observers = [TraceContext(replacesFields: true) { 7 }]
        _ = try await request.start().value
        #expect(
            transport.values(of: "traceparent") == [nil, "00-00000000000000070000000000000007-0000000000000007-02"])
        #expect(transport.values(of: "tracestate") == ["mine=1", nil])
    }

    @Test func `of two observers, the first adds its fields`() async throws {
        let transport = ScriptedTransport(200)
        let request = request(transport)
        request.observers = [TraceContext { 7 }, TraceContext { 8 }]
        _ = try await request.start().value
        #expect(transport.values(of: "traceparent") == ["00-00000000000000070000000000000007-0000000000000007-02"])
    }

    @Test func `an invalid trace state fails the request`() async throws {
        let transport = ScriptedTransport(200)
        let request = request(transport)
        let broken = TraceParent("00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01", state: "a=1\r\nX-Evil: 1")
        await TraceContext.$current.withValue(broken) {
            await expectFailure(.invalidHeaderField) { try await request.start().value }
        }
        #expect(transport.sent.elements.isEmpty)
    }

    @Test(arguments: [("https://api.example.com/next", true), ("https://other.example.com/", false)])
    func `trace fields are only sent with redirects to the same origin`(_ target: String, _ isSent: Bool) throws {
        var request = URLRequest(url: try #require(URL(string: "https://api.example.com/")))
        request.setValue("00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01", forHTTPHeaderField: "traceparent")
        request.setValue("a=1", forHTTPHeaderField: "tracestate")
        var chain = RedirectChain(TransportRequest(request))
        #expect(try chain.follow(DataResponse(statusCode: 302, headers: ["Location": target])))
        for name in ["traceparent", "tracestate"] {
            #expect((chain.request.value(forHTTPHeaderField: name) != nil) == isSent)
        }
    }
}
