import ErrandTesting
import TestSupport
import Testing

@testable import Errand

struct `An observer` {
    /// Adds these fields to each request.
    private struct Adding: ExchangeObserver {
        var fields: HeaderFields
        var replacesFields = false
        let ended = Recorder<String?>()

        func began(_ exchange: ObservedExchange) -> any ExchangeObservation { Observation(observer: self) }

        struct Observation: ExchangeObservation {
            let observer: Adding
            var fields: HeaderFields { observer.fields }
            var replacesFields: Bool { observer.replacesFields }
            func ended(_ outcome: ExchangeOutcome) { observer.ended.record(outcome.errorType) }
        }
    }

    private func request(_ transport: any Transport, _ observers: any ExchangeObserver...) -> Retried {
        let request = Retried(.never)
        request.session = transport
        request.observers = observers
        return request
    }

    @Test func `adds several fields, and joins those of one name`() async throws {
        let transport = ScriptedTransport(200)
        _ = try await request(transport, Adding(fields: ["Baggage": "a=1", "baggage": "b=2", "X-Trace": "7"])).start()
            .value
        #expect(transport.values(of: "baggage") == ["a=1, b=2"])
        #expect(transport.values(of: "x-trace") == ["7"])
    }

    @Test func `adds none of its fields if the request has one of them`() async throws {
        let transport = ScriptedTransport(200)
        let request = request(transport, Adding(fields: ["Baggage": "a=1", "X-Trace": "7"]))
        request.headers["x-trace"] = "own"
        _ = try await request.start().value
        request.observers = [Adding(fields: ["Baggage": "a=1", "X-Trace": "7"], replacesFields: true)]
        _ = try await request.start().value
        #expect(transport.values(of: "baggage") == [nil, "a=1"])
        #expect(transport.values(of: "x-trace") == ["own", "7"])
    }

    @Test(
        arguments: [
            ["X-Trace": "a\r\nX-Evil: 1"], ["X Trace": "a"], ["Content-Length": "7"], ["host": "other.example.com"],
            ["Transfer-Encoding": "chunked"],
        ] as [HeaderFields])
    func `that adds an invalid field fails the request, which is not sent`(_ fields: HeaderFields) async throws {
        let transport = ScriptedTransport(200)
        let (observer, recorder) = (Adding(fields: fields), ExchangeRecorder())
        let error = await expectFailure(.invalidHeaderField) {
            try await request(transport, recorder, observer).start().value
        }
        #expect(error?.attempts == 0)
        #expect(transport.sent.elements.isEmpty)
        #expect(observer.ended.elements == ["invalid_header_field"])
        #expect(recorder.lines == ["GET /users 0 -> error invalid_header_field"])
    }

    @Test func `that adds an invalid field after a redirect does not fail the request`() throws {
        struct Alternating: ExchangeObserver {
            func began(_ exchange: ObservedExchange) -> any ExchangeObservation {
                Adding(fields: exchange.redirected == nil ? ["X-Trace": "7"] : ["X-Trace": "\n"]).began(exchange)
            }
        }
        var request = TransportRequest(URLRequest(url: try #require(URL(string: "https://api.example.com/"))))
        let recorder = ExchangeRecorder()
        let observers: [any ExchangeObserver] = [Alternating(), TraceContext(), recorder]
        let sending = ObservedSending(of: request, for: observers, in: .unnamed)
        try sending.begin(&request)
        #expect(request.urlRequest.value(forHTTPHeaderField: "X-Trace") == "7")
        var chain = RedirectChain(request)
        #expect(try chain.follow(DataResponse(statusCode: 302, headers: ["Location": "/next"])))
        #expect(chain.request.value(forHTTPHeaderField: "X-Trace") == nil)
        #expect(chain.request.value(forHTTPHeaderField: "traceparent") != nil)
        sending.end(.success(DataResponse(statusCode: 200, headers: [:])))
        #expect(recorder.lines == ["GET 0 -> 302", "GET 1 redirected -> 200"])
    }

    @Test func `receives the end once, if the task ends while a redirect is followed`() throws {
        /// Ends the sending when the exchange after the redirect begins, as a cancelled task does.
        final class Ending: ExchangeObserver {
            let sending = Locked<ObservedSending?>(nil)
            func began(_ exchange: ObservedExchange) -> any ExchangeObservation {
                if exchange.redirected != nil { sending.withLock { $0 }?.end(.failure(ErrandError(.cancelled))) }
                return Silent()
            }
            struct Silent: ExchangeObservation {}
        }
        var request = TransportRequest(URLRequest(url: try #require(URL(string: "https://api.example.com/"))))
        let (recorder, ending) = (ExchangeRecorder(), Ending())
        let sending = ObservedSending(of: request, for: [recorder, ending], in: .unnamed)
        ending.sending.withLock { $0 = sending }
        try sending.begin(&request)
        var chain = RedirectChain(request)
        for _ in 1...2 {
            #expect(try chain.follow(DataResponse(statusCode: 302, headers: ["Location": "/next"])))
        }
        sending.end(.failure(ErrandError(.cancelled)))
        #expect(recorder.lines == ["GET 0 -> 302", "GET 1 redirected -> cancelled"])
    }

    @Test func `is called from many tasks at once`() async throws {
        let (recorder, summary) = (ExchangeRecorder(), ExchangeSummary())
        try await withThrowingTaskGroup(of: Void.self) { group in
            for _ in 1...200 {
                group.addTask {
                    let request = Retried()
                    request.observers = [recorder, summary, TraceContext()]
                    request.respond(503, 200)
                    _ = try await request.start().value
                }
            }
            try await group.waitForAll()
        }
        #expect(recorder.entries.count == 400)
        #expect(recorder.entries.allSatisfy { $0.outcomes.count == 1 })
        #expect(summary.description.contains("200"))
    }
}

extension RunLedger {
    /// The ledger of a run that calls nothing with a name.
    fileprivate static var unnamed: RunLedger {
        RunLedger(over: ScriptedTransport(200), behind: nil, calling: nil, signingUsers: [])
    }
}
