import Foundation
import Testing

@testable import Errand

struct `The state of an event source` {
    private let lost = ErrandError(transportFailure: URLError(.networkConnectionLost))

    private func state(_ change: (inout EventSourceReconnection) -> Void = { _ in }) -> EventSourceState {
        var policy = EventSourceReconnection()
        change(&policy)
        return EventSourceState(policy, lastEventID: "")
    }

    /// The delays after consecutive losses; `nil` when the source fails.
    private func waits(_ state: inout EventSourceState, _ count: Int, chance: Double = 1) -> [Duration?] {
        (0..<count).map { _ in
            if case .connect(let wait) = state.lost(lost, after: .zero, chance: chance) { wait } else { nil }
        }
    }

    private func fails(_ step: EventSourceState.Step) -> (any Error)? {
        if case .fail(let error) = step { error } else { nil }
    }

    @Test func `an event source requests events without a cache and sends the last event ID`() {
        var state = state()
        #expect(state.fields == ["Accept": "text/event-stream", "Cache-Control": "no-cache"])
        state.store(lastEventID: "7", reconnectionTime: nil)
        #expect(state.fields["Last-Event-ID"] == "7")
        state.store(lastEventID: "", reconnectionTime: nil)
        #expect(state.fields["Last-Event-ID"] == nil)
    }

    @Test func `an event source reads only responses with status 200 and its content type`() {
        func verdict(_ status: Int, _ type: ContentType?) -> String {
            switch state().judge(statusCode: status, contentType: type) {
            case .read: "read"
            case .end: "end"
            case .fail(let error): "\(error.code)"
            }
        }
        #expect(verdict(200, "text/event-stream") == "read")
        #expect(verdict(200, ContentType("Text/Event-Stream;charset=utf-8")) == "read")
        #expect(verdict(200, "text/plain") == "unacceptableContentType")
        #expect(verdict(200, nil) == "unacceptableContentType")
        #expect(verdict(204, nil) == "end")
        for status in [201, 205, 206, 301, 404, 500, 503] {
            #expect(verdict(status, "text/event-stream") == "unacceptableStatusCode")
        }
    }

    @Test func `the reconnection delay grows with jitter until an event arrives`() {
        var state = state { $0.maximumAttempts = 100 }
        #expect(waits(&state, 7) == [1, 2, 4, 8, 16, 30, 30].map { .seconds($0) })
        #expect(waits(&state, 1, chance: 0) == [.zero])
        #expect(waits(&state, 1, chance: 0.5) == [.seconds(15)])
        state.resetAttempts()
        #expect(waits(&state, 2) == [.seconds(1), .seconds(2)])
    }

    @Test func `the reconnection delay adds the server time and the backoff, up to the maximum`() {
        var state = state()
        state.store(lastEventID: "", reconnectionTime: .milliseconds(1500))
        #expect(waits(&state, 1, chance: 0) == [.milliseconds(1500)])
        state.store(lastEventID: "", reconnectionTime: nil)
        #expect(waits(&state, 1) == [.milliseconds(3500)])
        state.store(lastEventID: "", reconnectionTime: .seconds(3600))
        #expect(waits(&state, 1, chance: 0) == [.seconds(60)])
    }

    @Test func `an event source fails after its maximum of consecutive attempts with the last error`() {
        var state = state { $0.maximumAttempts = 2 }
        #expect(waits(&state, 3) == [.seconds(1), .seconds(2), nil])
        let error = fails(state.lost(lost, after: .zero, chance: 1)) as? ErrandError
        #expect(error?.code == .transportFailed)
        #expect(error?.reason?.hasSuffix("given up after 2 reconnections in a row without an event") == true)
    }

    @Test(arguments: [0, -5])
    func `an event source without attempts does not reconnect`(_ attempts: Int) {
        var state = state { $0.maximumAttempts = attempts }
        #expect(waits(&state, 1) == [nil])
    }

    @Test func `the attempts are counted again after a long connection without events`() {
        var state = state { $0.maximumAttempts = 1 }
        for _ in 0..<5 {
            guard case .connect(.seconds(1)) = state.lost(lost, after: .seconds(30), chance: 1) else {
                Issue.record("the event source failed")
                return
            }
        }
        #expect(fails(state.lost(lost, after: .seconds(29), chance: 1)) != nil)
    }

    @Test func `an event source reconnects only after temporary transport errors`() {
        var state = state()
        let passing: [any Error] = [
            lost, ErrandError(.timedOut), ErrandError(transportFailure: URLError(.cannotConnectToHost)),
            URLError(.notConnectedToInternet),
        ]
        for error in passing { #expect(fails(state.lost(error, after: .zero, chance: 1)) == nil) }
        let lasting: [any Error] = [
            ErrandError(.cancelled), ErrandError(.elementTooLarge), ErrandError(.unacceptableStatusCode),
            ErrandError(.invalidHeaderField), ErrandError(transportFailure: URLError(.serverCertificateUntrusted)),
            CancellationError(),
        ]
        for error in lasting { #expect(fails(state.lost(error, after: .zero, chance: 1)) != nil) }
    }

    @Test func `invalid delays of an event source are limited to valid values`() {
        var state = state {
            $0.backoff = .exponential(base: .seconds(-1), factor: .nan)
            $0.maximumWait = .seconds(-1)
            $0.maximumServerWait = .seconds(-1)
        }
        state.store(lastEventID: "", reconnectionTime: .seconds(9))
        #expect(waits(&state, 3, chance: .infinity) == [.zero, .zero, .zero])
        var patient = self.state {
            $0.backoff = .constant(.seconds(Int64.max))
            $0.maximumWait = .seconds(Int64.max)
            $0.maximumServerWait = .seconds(Int64.max)
        }
        patient.store(lastEventID: "", reconnectionTime: .seconds(Int64.max).bounded)
        #expect(waits(&patient, 2) == [.seconds(Int64.max).bounded, .seconds(Int64.max).bounded])
    }
}
