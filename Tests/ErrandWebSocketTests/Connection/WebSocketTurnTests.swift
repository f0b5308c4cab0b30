import Testing

@testable import Errand

struct `WebSocket turn` {
    private var turn: WebSocketTurn {
        .free(WebSocketBatch(WebSocketMessageEncoder(role: .client, maximumFragmentSize: 100)))
    }

    @Test func `one task at a time has the batch, and learns whether another task requested it`() throws {
        var turn = turn
        for isRequested in [true, false] {
            let taken = turn.take()
            let batch = try #require(taken)
            if isRequested, turn.take() != nil { Issue.record("two tasks have the batch") }
            let wasRequested = try turn.giveBack(batch)
            #expect(wasRequested == isRequested)
        }
    }

    @Test func `the end of a free turn returns the batch, and nothing is taken after it`() {
        var turn = turn
        let left = turn.end(ErrandError(.webSocketClosed))
        let taken = turn.take()
        #expect(left != nil)
        #expect(taken == nil)
    }

    @Test func `a task that has the batch at the end gets the error`() throws {
        var turn = turn
        let taken = turn.take()
        let batch = try #require(taken)
        let left = turn.end(ErrandError(.webSocketClosed))
        #expect(left == nil)
        let error = #expect(throws: ErrandError.self) { _ = try turn.giveBack(batch) }
        #expect(error?.code == .webSocketClosed)
    }
}
