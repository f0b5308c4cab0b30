import Errand
import TestSupport
import Testing

@Suite("The states of a WebSocket connection") struct WebSocketMachineTests {
    /// A state machine that can be called inside an expectation.
    private final class Subject {
        private(set) var machine = WebSocketMachine()

        var maySend: Bool { machine.maySend }
        func receive(_ event: WebSocketMessageDecoder.Event) -> WebSocketMachine.Reaction { machine.receive(event) }
        func next() -> WebSocketMachine.Control? { machine.next() }
        func ping() -> Int? { machine.ping() }
        func close(_ closure: WebSocketClosure) { machine.close(closure) }
        func fail(_ violation: WebSocketViolation) { machine.fail(violation) }
    }

    private let normal = WebSocketClosure(code: .normal, reason: "bye")

    @Test func `each ping is answered with its payload, and of too many the last ones`() {
        let machine = Subject()
        let limit = WebSocketMachine.maximumPongs
        for number in 0..<limit + 2 { #expect(machine.receive(.ping([UInt8(number)])) == .write) }
        for number in 2..<limit + 2 { #expect(machine.next() == .pong([UInt8(number)])) }
        #expect(machine.next() == nil)
    }

    @Test func `a pong answers its ping and those before, and no pong answers what nobody asked`() throws {
        let machine = Subject()
        let numbers = [machine.ping(), machine.ping(), machine.ping()].compactMap(\.self)
        guard case .ping(let first)? = machine.next(), case .ping(let second)? = machine.next() else {
            Issue.record("no pings")
            return
        }
        #expect(first != second)
        #expect(machine.receive(.pong([9, 9])) == .answered([]))
        #expect(machine.receive(.pong(second)) == .answered(Array(numbers.prefix(2))))
        #expect(machine.receive(.pong(first)) == .answered([]))
        // The third was not sent yet, so it cannot have been answered.
        #expect(machine.receive(.pong(Array(String(numbers[2]).utf8))) == .answered([]))
    }

    @Test func `the other side's close is answered with its code, and nothing comes after`() {
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

    @Test func `after this side's close messages are dropped, and the other's close is not answered again`() {
        let machine = Subject()
        machine.close(normal)
        machine.close(WebSocketClosure(code: .goingAway))
        #expect(machine.next() == .close(normal))
        #expect(machine.receive(.message(.text("late"))) == .nothing)
        #expect(machine.receive(.ping([1])) == .nothing)
        #expect(machine.receive(.close(WebSocketClosure(code: .normal))) == .closed)
        #expect(machine.next() == nil)
    }

    @Test func `a breach of the protocol is told in the close frame, once`() {
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
}
