import Errand
import Testing

@testable import ErrandTesting

@Suite struct `Connection machine` {
    private func machine(after text: String) -> ConnectionMachine {
        var machine = ConnectionMachine(maximumBodySize: 10)
        machine.receive(Array(text.utf8))
        return machine
    }

    /// The action as text.
    private func name(_ action: ConnectionMachine.Action?) -> String {
        switch action {
        case .send(let data): "send \(String(decoding: data.prefix(12), as: UTF8.self))"
        case .handle(let request): "handle \(request.path)"
        case .pause: "pause"
        case .pull: "pull"
        case .endSending: "end sending"
        case .close: "close"
        case .reset: "reset"
        case .upgrade: "upgrade"
        case nil: "wait"
        }
    }

    @Test func `pipelined requests are handled one after the other, in order`() {
        var machine = machine(after: Wire.request("GET", "/1") + Wire.request("GET", "/2"))
        #expect(name(machine.next()) == "handle /1")
        #expect(name(machine.next()) == "wait")
        machine.answer(.status(200))
        #expect(name(machine.next()) == "send HTTP/1.1 200")
        #expect(name(machine.next()) == "handle /2")
        machine.answer(.status(404))
        #expect(name(machine.next()) == "send HTTP/1.1 404")
        #expect(name(machine.next()) == "wait")
    }

    @Test func `a body that goes on is asked for piece by piece, each behind the one before`() {
        var machine = machine(after: Wire.request("GET", "/1") + Wire.request("GET", "/2"))
        #expect(name(machine.next()) == "handle /1")
        machine.answer(.stream { nil })
        #expect(name(machine.next()) == "send HTTP/1.1 200")
        #expect(name(machine.next()) == "pull")
        #expect(name(machine.next()) == "wait")
        machine.stream(Data("0123456789abcdef".utf8))
        #expect(name(machine.next()) == "send 10\r\n01234567")
        #expect(name(machine.next()) == "pull")
        machine.stream(Data())
        #expect(name(machine.next()) == "pull")
        machine.stream(nil)
        #expect(name(machine.next()) == "send 0\r\n\r\n")
        #expect(name(machine.next()) == "handle /2")
    }

    @Test func `a pause holds the next piece back until it is over`() {
        var machine = machine(after: Wire.request("GET", "/"))
        #expect(name(machine.next()) == "handle /")
        machine.answer(.raw("ab").with(fault: .drip(bytesAtATime: 1)))
        #expect(name(machine.next()) == "send a")
        #expect(name(machine.next()) == "pause")
        #expect(name(machine.next()) == "wait")
        machine.resume()
        #expect(name(machine.next()) == "send b")
        #expect(name(machine.next()) == "close")
    }

    @Test func `a stall waits for ever, whatever comes`() {
        var machine = machine(after: Wire.request("GET", "/"))
        #expect(name(machine.next()) == "handle /")
        machine.answer(.status(200).with(fault: .stallBeforeHead))
        #expect(name(machine.next()) == "wait")
        machine.receive(Array(Wire.request("GET", "/2").utf8))
        #expect(name(machine.next()) == "wait")
        #expect(machine.wantsBytes)
    }

    @Test func `what is no request is answered and the rest of it read past`() {
        var machine = machine(after: "nonsense\r\n\r\n")
        #expect(name(machine.next()) == "send HTTP/1.1 400")
        #expect(name(machine.next()) == "end sending")
        #expect(name(machine.next()) == "wait")
        #expect(machine.wantsBytes)
    }

    @Test func `reading ahead has a bound`() {
        var machine = machine(after: Wire.request("GET", "/"))
        #expect(name(machine.next()) == "handle /")
        #expect(machine.wantsBytes)
        machine.receive([UInt8](repeating: 0, count: 1 << 20))
        #expect(!machine.wantsBytes)
        machine.answer(.status(200).with(fault: .stallBeforeHead))
        #expect(name(machine.next()) == "wait")
        #expect(machine.wantsBytes, "else a client that closes would not be noticed")
    }

    @Test func `after a reset nothing is sent`() {
        var machine = machine(after: Wire.request("GET", "/") + Wire.request("GET", "/2"))
        #expect(name(machine.next()) == "handle /")
        machine.answer(.status(200).with(fault: .resetBeforeHead))
        #expect(name(machine.next()) == "reset")
        #expect(name(machine.next()) == "wait")
    }
}
