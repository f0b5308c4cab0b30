import Errand
import ErrandWebSocket
import TestSupport
import Testing

struct `WebSocket state machine` {
    /// A state machine that can be called inside an expectation.
    private final class Subject {
        private(set) var machine = WebSocketMachine()

        var maySend: Bool { machine.maySend }
        func receive(_ event: WebSocketMessageDecoder.Event) -> WebSocketMachine.Reaction { machine.receive(event) }
        func next() -> WebSocketControl? { machine.next() }
        func ping() -> Int? { machine.ping() }
        func forget(ping number: Int) { machine.forget(ping: number) }
        func close(_ closure: WebSocketClosure) { machine.close(closure) }
        func fail(_ violation: WebSocketViolation) { machine.fail(violation) }
        func takeTurn() -> Bool { machine.takeTurn() }
        func giveTurnBack() -> WebSocketMachine.Handover { machine.giveTurnBack() }
        func endWriting() -> Bool { machine.endWriting() }
    }

    private let normal = WebSocketClosure(code: .normal, reason: "bye")

    @Test func `a pong with the payload follows each ping, and of too many pings only the last ones`() {
        let machine = Subject()
        let limit = WebSocketMachine.maximumPongs
        for number in 0..<limit + 2 { #expect(machine.receive(.ping([UInt8(number)])) == .write) }
        for number in 2..<limit + 2 { #expect(machine.next() == .pong([UInt8(number)])) }
        #expect(machine.next() == nil)
    }

    @Test func `a pong completes its ping and all earlier ones, and an unexpected pong is ignored`() throws {
        let machine = Subject()
        let numbers = [machine.ping(), machine.ping(), machine.ping()].compactMap(\.self)
        guard case .ping(let first)? = machine.next(), case .ping(let second)? = machine.next() else {
            Issue.record("no pings")
            return
        }
        #expect(first != second)
        #expect(machine.receive(.pong([9, 9])) == .completed([]))
        #expect(machine.receive(.pong(second)) == .completed(Array(numbers.prefix(2))))
        #expect(machine.receive(.pong(first)) == .completed([]))
        // The third ping was not sent yet, so this pong does not match a ping.
        #expect(machine.receive(.pong(Array(String(numbers[2]).utf8))) == .completed([]))
    }

    @Test func `a pong to a ping that is not awaited any more completes the earlier ones`() {
        let machine = Subject()
        let numbers = [machine.ping(), machine.ping(), machine.ping()].compactMap(\.self)
        for _ in numbers { _ = machine.next() }
        machine.forget(ping: numbers[2])
        #expect(machine.receive(.pong(Array("\(numbers[2] + 1)".utf8))) == .completed([]))
        #expect(machine.receive(.pong(Array("\(numbers[2])".utf8))) == .completed(Array(numbers.prefix(2))))
    }

    @Test func `a received close is returned with its code, and nothing is sent after it`() {
        let machine = Subject()
        _ = machine.receive(.ping([1]))
        #expect(machine.receive(.close(normal)) == .closed)
        #expect(!machine.maySend)
        #expect(machine.next() == .close(normal))
        #expect(machine.next() == nil)
        #expect(machine.receive(.message(.text("late"))) == .nothing)
        #expect(machine.ping() == nil)
        #expect(machine.machine.received == normal)
    }

    @Test func `messages received after a sent close are dropped`() {
        let machine = Subject()
        machine.close(normal)
        machine.close(WebSocketClosure(code: .goingAway))
        #expect(machine.next() == .close(normal))
        #expect(machine.receive(.message(.text("late"))) == .nothing)
        #expect(machine.receive(.ping([1])) == .nothing)
        #expect(machine.receive(.close(WebSocketClosure(code: .normal))) == .closed)
        #expect(machine.next() == nil)
    }

    @Test func `a protocol violation is reported once in a close frame`() {
        let machine = Subject()
        machine.fail(.badContent("x"))
        #expect(machine.next() == .close(WebSocketClosure(code: .invalidPayload)))
        #expect(machine.machine.violation == .badContent("x"))
        let closing = Subject()
        closing.close(normal)
        _ = closing.next()
        closing.fail(.malformed("x"))
        #expect(closing.next() == nil)
    }

    @Test func `one task at a time has the turn, and learns whether another task requested it`() {
        let machine = Subject()
        for isRequested in [true, false] {
            #expect(machine.takeTurn())
            if isRequested { #expect(!machine.takeTurn()) }
            #expect(machine.giveTurnBack() == (isRequested ? .askedFor : .free))
        }
    }

    @Test func `the end of writing reports whether a task has the turn, and no task takes it after that`() {
        let machine = Subject()
        #expect(machine.endWriting())
        #expect(!machine.takeTurn())
    }

    @Test func `a task that has the turn at the end of writing learns that nothing is written any more`() {
        let machine = Subject()
        #expect(machine.takeTurn())
        #expect(!machine.endWriting())
        #expect(machine.giveTurnBack() == .over)
    }
}
