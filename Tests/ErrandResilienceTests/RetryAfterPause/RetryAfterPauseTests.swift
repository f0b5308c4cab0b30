import Errand
import ErrandTesting
import TestSupport
import Testing

@testable import ErrandResilience

struct `A pause after Retry-After` {
    private let clock = ManualClock()
    private let sent = Recorder<String>()

    private func next(_ responses: [String: DataResponse] = [:]) -> Next {
        Next { [sent] request in
            let path = request.urlRequest.url?.path ?? ""
            sent.record(path)
            return responses[path] ?? DataResponse(statusCode: 200)
        }
    }

    private static func refusal(_ status: Int = 503, after seconds: Int = 10) -> DataResponse {
        DataResponse(statusCode: status, headers: ["Retry-After": "\(seconds)"])
    }

    private func send(
        _ pause: RetryAfterPause, _ path: String, priority: RequestPriority = .normal, timeout: Duration? = nil
    ) -> Task<DataResponse, any Error> {
        let next = next()
        return Task {
            try await pause.intercept(
                limitedRequest("https://a.example\(path)", priority: priority, resourceTimeout: timeout), next: next)
        }
    }

    /// A pause of this length, begun by a response.
    private func begun(
        _ status: Int = 503, for seconds: Int = 10, maximumWait: Duration = .seconds(60), queueLimit: Int = 1000
    ) async throws -> RetryAfterPause {
        let pause = RetryAfterPause(maximumWait: maximumWait, queueLimit: queueLimit, clock: clock)
        let response = try await pause.intercept(
            limitedRequest("https://a.example/0"), next: next(["/0": Self.refusal(status, after: seconds)]))
        #expect(response.statusCode == status)
        return pause
    }

    @Test(arguments: [429, 503])
    func `a Retry-After response delays all requests to its origin`(_ status: Int) async throws {
        let pause = try await begun(status)
        let later = send(pause, "/1")
        try await clock.waitForSleepers()
        clock.advance(by: .milliseconds(9_999))
        #expect(sent.elements == ["/0"])
        clock.advance(by: .milliseconds(1))
        #expect(try await later.value.statusCode == 200)
        #expect(sent.elements == ["/0", "/1"])
    }

    @Test func `a request is named once, and its response pauses the requests of that name`() async throws {
        let names = Recorder<String>()
        let scope = LimitScope.named { _ in
            names.record("")
            return "\(names.elements.count)"
        }
        let pause = RetryAfterPause(scope: scope, clock: clock)
        _ = try await pause.intercept(limitedRequest("https://a.example/0"), next: next(["/0": Self.refusal()]))
        // Another name, which does not pause.
        #expect(try await pause.intercept(limitedRequest("https://a.example/1"), next: next()).statusCode == 200)
        #expect(names.elements.count == 2)
    }

    @Test func `a Retry-After response does not delay requests to other origins`() async throws {
        let pause = try await begun()
        let response = try await pause.intercept(limitedRequest("https://b.example/1"), next: next())
        #expect(response.statusCode == 200)
    }

    @Test func `a response with an exhausted RateLimit quota delays requests`() async throws {
        let pause = RetryAfterPause(clock: clock)
        let refusal = DataResponse(statusCode: 429, headers: ["RateLimit": "\"default\";r=0;t=5"])
        _ = try await pause.intercept(limitedRequest("https://a.example/0"), next: next(["/0": refusal]))
        let later = send(pause, "/1")
        try await clock.waitForSleepers()
        clock.advance(by: .seconds(5))
        #expect(try await later.value.statusCode == 200)
    }

    @Test(arguments: [200, 404, 500])
    func `a response with another status does not delay requests`(_ status: Int) async throws {
        let pause = try await begun(status)
        let response = try await send(pause, "/1").value
        #expect(response.statusCode == 200)
    }

    @Test func `waiting requests are admitted by priority after a pause`() {
        var state = RetryAfterPauseState(maximumWait: .seconds(60), queueLimit: 10)
        _ = state.pause("a", for: .seconds(10), now: .zero)
        for (ticket, priority) in [(1, RequestPriority.low), (2, .normal), (3, .high)] {
            _ = state.arrive(Arrival(ticket: ticket, account: "a", priority: priority), now: .zero)
        }
        #expect(state.wake(now: .seconds(10)).contains(.admit(3)))
        #expect(state.succeed(3, now: .seconds(11)).contains(.admit(2)))
        #expect(state.succeed(2, now: .seconds(12)).contains(.admit(1)))
        #expect(state.succeed(1, now: .seconds(13)) == [])
        #expect(state.isEmpty)
    }

    /// The requests that an event admits.
    private func admitted(_ actions: [TurnAction]) -> [Int] {
        actions.compactMap { if case .admit(let ticket) = $0 { ticket } else { nil } }
    }

    @Test func `after a pause, one request is sent at a time, and one more for every four responses`() {
        var state = RetryAfterPauseState(maximumWait: .seconds(60), queueLimit: 1000)
        _ = state.pause("a", for: .seconds(10), now: .zero)
        for ticket in 1...100 { _ = state.arrive(Arrival(ticket: ticket, account: "a"), now: .zero) }
        var running = admitted(state.wake(now: .seconds(10)))
        var widths: [Int] = []
        while let ticket = running.first {
            widths.append(running.count)
            running.removeFirst()
            running += admitted(state.succeed(ticket, now: .seconds(11)))
        }
        #expect(widths.count == 100)
        #expect(widths.prefix(13) == [1, 1, 1, 1, 2, 2, 2, 2, 3, 3, 3, 3, 4])
        #expect(state.isEmpty)
    }

    @Test func `requests that arrive after a pause wait until the first one has a response`() {
        var state = RetryAfterPauseState(maximumWait: .seconds(60), queueLimit: 10)
        _ = state.pause("a", for: .seconds(10), now: .zero)
        let now = Duration.seconds(11)
        #expect(admitted(state.arrive(Arrival(ticket: 1, account: "a"), now: now)) == [1])
        #expect(admitted(state.arrive(Arrival(ticket: 2, account: "a"), now: now)) == [])
        #expect(admitted(state.succeed(1, now: now)) == [2])
        #expect(admitted(state.finish(2, now: now)) == [])
        #expect(admitted(state.arrive(Arrival(ticket: 3, account: "a"), now: now)) == [3])
        #expect(admitted(state.arrive(Arrival(ticket: 4, account: "a"), now: now)) == [4])
    }

    @Test func `a rejection after a pause begins another pause, and the others wait`() {
        var state = RetryAfterPauseState(maximumWait: .seconds(60), queueLimit: 10)
        _ = state.pause("a", for: .seconds(10), now: .zero)
        for ticket in 1...3 { _ = state.arrive(Arrival(ticket: ticket, account: "a"), now: .zero) }
        #expect(admitted(state.wake(now: .seconds(10))) == [1])
        #expect(admitted(state.pause("a", for: .seconds(5), now: .seconds(11))) == [])
        #expect(admitted(state.finish(1, now: .seconds(11))) == [])
        #expect(admitted(state.wake(now: .seconds(16))) == [2])
    }

    @Test func `a request whose time passes after a pause is refused`() {
        var state = RetryAfterPauseState(maximumWait: .seconds(60), queueLimit: 10)
        _ = state.pause("a", for: .seconds(10), now: .zero)
        _ = state.arrive(Arrival(ticket: 1, account: "a"), now: .zero)
        _ = state.arrive(Arrival(ticket: 2, account: "a", deadline: .seconds(20)), now: .zero)
        let actions = state.wake(now: .seconds(10))
        #expect(admitted(actions) == [1])
        #expect(actions.contains { $0.alarm == .seconds(20) })
        #expect(state.wake(now: .seconds(20)).contains(.refuse(2, .recoveryTakesTooLong)))
    }

    /// Fourteen requests to a server whose bucket holds eight tokens and gets one each five seconds. It rejects six at
    /// first, and one after each pause but the last. If all were sent after each pause, it would reject 21 times, and
    /// one request six times.
    @Test func `each request to a token bucket needs few attempts`() {
        var state = RetryAfterPauseState(maximumWait: .seconds(60), queueLimit: 20)
        var attempts: [Int: Int] = [:]
        var (now, tokens) = (Duration.zero, 8)
        var waiting = Array(1...14)
        var sent: [Int] = []
        while attempts.count < 14 || !waiting.isEmpty {
            sent += waiting.flatMap { admitted(state.arrive(Arrival(ticket: $0, account: "a"), now: now)) }
            waiting = []
            while !sent.isEmpty {
                let ticket = sent.removeFirst()
                attempts[ticket, default: 0] += 1
                if tokens > 0 {
                    tokens -= 1
                    sent += admitted(state.succeed(ticket, now: now))
                } else {
                    sent += admitted(state.pause("a", for: .seconds(5), now: now))
                    sent += admitted(state.finish(ticket, now: now))
                    waiting.append(ticket)
                }
            }
            // A rejected request waits for its own `Retry-After`, and then for its turn.
            now += .seconds(5)
            tokens += 1
            sent += admitted(state.wake(now: now))
        }
        let rejections = attempts.values.map { $0 - 1 }
        #expect(rejections.reduce(0) { $0 + $1 } == 11)
        #expect(rejections.max() == 4)
    }

    @Test func `a request whose resource timeout is shorter than the pause fails at once`() async throws {
        let pause = try await begun()
        let error = await expectFailure(.rateLimited) { try await send(pause, "/1", timeout: .seconds(9)).value }
        #expect(error?.reason == "its turn would come in 10 s, after its `resourceTimeout`")
        #expect(sent.elements == ["/0"])
    }

    @Test func `all requests fail at once if the pause exceeds the maximum wait`() async throws {
        let pause = try await begun(for: 3600)
        let error = await expectFailure(.rateLimited) { try await send(pause, "/1").value }
        #expect(error?.reason == "the server asks all requests to wait for 3600 s, more than `maximumWait`")
        clock.advance(by: .seconds(3541))
        let later = send(pause, "/2")
        try await clock.waitForSleepers()
        clock.advance(by: .seconds(59))
        #expect(try await later.value.statusCode == 200)
    }

    @Test func `the number of requests that wait for a pause is limited`() async throws {
        let pause = try await begun(queueLimit: 1)
        let first = send(pause, "/1")
        try await waitUntil { pause.waitingCount == 1 }
        await expectFailure(.rateLimited) { try await send(pause, "/2").value }
        let high = send(pause, "/3", priority: .high)
        await expectFailure(.rateLimited) { try await first.value }
        try await clock.waitForSleepers()
        clock.advance(by: .seconds(10))
        #expect(try await high.value.statusCode == 200)
    }

    @Test func `a request that is cancelled during a pause is removed`() async throws {
        let pause = try await begun()
        let waiting = send(pause, "/1")
        try await waitUntil { pause.waitingCount == 1 }
        waiting.cancel()
        await expectFailure(.cancelled) { try await waiting.value }
        #expect(pause.waitingCount == 0)
        #expect(sent.elements == ["/0"])
    }

    @Test func `a pause reduces the resource timeout of a request`() async throws {
        let pause = try await begun()
        let left = Recorder<Duration?>()
        let task = Task {
            let next = Next { request in
                left.record(request.resourceTimeout)
                return DataResponse(statusCode: 200)
            }
            return try await pause.intercept(
                limitedRequest("https://a.example/1", resourceTimeout: .seconds(30)), next: next)
        }
        try await clock.waitForSleepers()
        clock.advance(by: .seconds(10))
        _ = try await task.value
        #expect(left.elements == [.seconds(20)])
    }

    @Test func `a pause can become longer, but not shorter`() {
        var state = RetryAfterPauseState(maximumWait: .seconds(60), queueLimit: 10)
        _ = state.pause("a", for: .seconds(10), now: .zero)
        #expect(state.arrive(Arrival(ticket: 1, account: "a"), now: .seconds(1)).contains { $0.alarm == .seconds(10) })
        _ = state.arrive(Arrival(ticket: 2, account: "a", deadline: .seconds(20)), now: .seconds(1))
        #expect(state.pause("a", for: .seconds(2), now: .seconds(2)) == [])
        let actions = state.pause("a", for: .seconds(28), now: .seconds(2))
        #expect(actions.contains(.refuse(2, .recoveryTakesTooLong)))
        #expect(actions.contains { $0.alarm == .seconds(30) })
        #expect(state.wake(now: .seconds(30)).contains(.admit(1)))
        _ = state.succeed(1, now: .seconds(31))
        #expect(state.isEmpty)
    }

    @Test func `a waiting request is rejected if a longer pause exceeds its maximum wait`() {
        var state = RetryAfterPauseState(maximumWait: .seconds(60), queueLimit: 10)
        _ = state.pause("a", for: .seconds(10), now: .zero)
        _ = state.arrive(Arrival(ticket: 1, account: "a"), now: .seconds(1))
        #expect(
            !state.pause("a", for: .seconds(59), now: .seconds(2)).contains(
                .refuse(1, .serverAsksForTooLong(.seconds(59)))))
        let actions = state.pause("a", for: .seconds(3600), now: .seconds(2))
        #expect(actions.contains(.refuse(1, .serverAsksForTooLong(.seconds(3600)))))
    }

    @Test func `a pause ends after a day at most`() {
        var state = RetryAfterPauseState(maximumWait: .seconds(60), queueLimit: 10)
        _ = state.pause("a", for: .seconds(Int64.max), now: .zero)
        #expect(admitted(state.arrive(Arrival(ticket: 1, account: "a"), now: .seconds(86_400))) == [1])
    }
}

extension TurnAction {
    fileprivate var alarm: Duration? {
        if case .setAlarm(let setting) = self { setting.time } else { nil }
    }
}
