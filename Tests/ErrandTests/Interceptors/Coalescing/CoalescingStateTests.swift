import Testing

@testable import Errand

struct `The state of coalescing` {
    private func key(_ path: String = "users") throws -> CoalescingKey {
        try #require(CoalescingKey(limitedRequest("https://api.example.com/\(path)")))
    }

    private func cancelled(_ action: CoalescingState.Action) -> Bool {
        if case .cancel = action { true } else { false }
    }

    @Test func `has whoever comes join the transfer under way`() throws {
        var state = CoalescingState()
        let first = state.join(try key(), priority: .normal)
        let second = state.join(try key(), priority: .normal)
        let other = state.join(try key("books"), priority: .normal)
        #expect((first.isFirst, second.isFirst, other.isFirst) == (true, false, true))
        #expect(first.run == second.run)
        #expect(state.finish(first.run) == [first.ticket, second.ticket])
        #expect(state.finish(first.run).isEmpty)
    }

    @Test func `begins anew after the end`() throws {
        var state = CoalescingState()
        let first = state.join(try key(), priority: .normal)
        _ = state.finish(first.run)
        #expect(state.isEmpty)
        #expect(state.join(try key(), priority: .normal).isFirst)
    }

    @Test func `cancels the transfer with the last to leave, and has the next begin anew`() throws {
        var state = CoalescingState()
        let first = state.join(try key(), priority: .normal)
        let second = state.join(try key(), priority: .normal)
        #expect(!cancelled(state.started(first.run, task: Task {})))
        #expect(!cancelled(state.leave(first.ticket)))
        #expect(cancelled(state.leave(second.ticket)))
        #expect(!cancelled(state.leave(second.ticket)))
        let third = state.join(try key(), priority: .normal)
        #expect(third.isFirst)
        #expect(state.finish(first.run).isEmpty)
        #expect(!state.join(try key(), priority: .normal).isFirst)
        #expect(state.finish(third.run).count == 2)
        #expect(state.isEmpty)
    }

    @Test func `cancels a transfer that starts when everybody has left`() throws {
        var state = CoalescingState()
        let first = state.join(try key(), priority: .normal)
        #expect(!cancelled(state.leave(first.ticket)))
        #expect(state.join(try key(), priority: .normal).isFirst)
        #expect(cancelled(state.started(first.run, task: Task {})))
    }

    @Test func `does not have a higher priority wait in a lower one's place`() throws {
        var state = CoalescingState()
        let low = state.join(try key(), priority: .low)
        let high = state.join(try key(), priority: .high)
        let normal = state.join(try key(), priority: .normal)
        #expect(high.isFirst)
        #expect(normal.run == high.run)
        #expect(state.finish(low.run) == [low.ticket])
        #expect(!state.join(try key(), priority: .low).isFirst)
    }
}

struct `What makes requests identical` {
    private let plain = limitedRequest()

    @Test func `is the same URL and fields, in any case`() {
        let one = limitedRequest(headers: ["Accept": "text/plain", "X-A": "1"])
        let other = limitedRequest(headers: ["x-a": "1", "accept": "text/plain"])
        #expect(CoalescingKey(one) == CoalescingKey(other))
        #expect(CoalescingKey(one) != nil)
    }

    @Test func `is not all there is to it when one of these differs`() {
        var others = [
            limitedRequest("https://api.example.com/users?page=2"), limitedRequest(method: "HEAD"),
            limitedRequest(headers: ["Authorization": "Bearer a"]),
            limitedRequest(headers: ["Authorization": "Bearer b"]),
            limitedRequest(resourceTimeout: .seconds(1)),
        ]
        var impatient = plain
        impatient.urlRequest.timeoutInterval = 1
        var small = plain
        small.maximumBodySize = 1
        var staying = plain
        staying.redirectPolicy = .ignore
        others += [plain, impatient, small, staying]
        #expect(Set(others.map(CoalescingKey.init)).count == others.count)
    }

    @Test(arguments: ["POST", "PUT", "DELETE", "PATCH", "OPTIONS", "get"])
    func `is never so for methods that may change something`(_ method: String) {
        var request = plain
        request.urlRequest.httpMethod = method
        // Foundation capitalizes the names it knows.
        #expect((CoalescingKey(request) == nil) == (request.urlRequest.httpMethod != "GET"))
    }

    @Test func `is never so for a request with a body, or with redirects that a closure decides`() {
        var data = plain
        data.urlRequest.httpBody = Data("a".utf8)
        var stream = plain
        stream.bodyStream = BodyStream(InputStream(data: Data()))
        var deciding = plain
        deciding.redirectPolicy = .decide { _, _ in true }
        #expect([data, stream, deciding].allSatisfy { CoalescingKey($0) == nil })
    }
}
