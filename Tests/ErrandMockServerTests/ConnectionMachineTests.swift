import Errand
import Testing

@testable import ErrandMockServer
@testable import ErrandTesting

struct `Connection machine` {
    private func machine(after text: String) -> ConnectionMachine {
        var machine = ConnectionMachine(maximumBodySize: 10)
        machine.receive(Array(text.utf8))
        return machine
    }

    /// The action as text.
    private func name(_ action: ConnectionMachine.Action?) -> String {
        switch action {
        case .send(let data): "send \(String(decoding: data.prefix(12), as: UTF8.self))"
        case .decide(let request): "decide \(request.path)"
        case .record(let request): "record \(request.path) \(request.text)"
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

    @Test func `pipelined requests are handled one at a time, in order`() {
        var machine = machine(after: Wire.request("GET", "/1") + Wire.request("GET", "/2"))
        #expect(name(machine.next()) == "handle /1")
        #expect(name(machine.next()) == "wait")
        machine.respond(.status(200))
        #expect(name(machine.next()) == "send HTTP/1.1 200")
        #expect(name(machine.next()) == "handle /2")
        machine.respond(.status(404))
        #expect(name(machine.next()) == "send HTTP/1.1 404")
        #expect(name(machine.next()) == "wait")
    }

    @Test func `the next chunk of a streamed body is requested after the previous one is sent`() {
        var machine = machine(after: Wire.request("GET", "/1") + Wire.request("GET", "/2"))
        #expect(name(machine.next()) == "handle /1")
        machine.respond(.stream { nil })
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

    @Test func `a pause delays the next chunk until it ends`() {
        var machine = machine(after: Wire.request("GET", "/"))
        #expect(name(machine.next()) == "handle /")
        machine.respond(.raw("ab").with(fault: .drip(bytesAtATime: 1)))
        #expect(name(machine.next()) == "send a")
        #expect(name(machine.next()) == "pause")
        #expect(name(machine.next()) == "wait")
        machine.resume()
        #expect(name(machine.next()) == "send b")
        #expect(name(machine.next()) == "close")
    }

    @Test func `a stalled response waits forever, whatever the client sends`() {
        var machine = machine(after: Wire.request("GET", "/"))
        #expect(name(machine.next()) == "handle /")
        machine.respond(.status(200).with(fault: .stallBeforeHead))
        #expect(name(machine.next()) == "wait")
        machine.receive(Array(Wire.request("GET", "/2").utf8))
        #expect(name(machine.next()) == "wait")
        #expect(machine.wantsBytes)
    }

    @Test func `a malformed request gets a 400 response, and the rest is discarded`() {
        var machine = machine(after: "nonsense\r\n\r\n")
        #expect(name(machine.next()) == "send HTTP/1.1 400")
        #expect(name(machine.next()) == "end sending")
        #expect(name(machine.next()) == "wait")
        #expect(machine.wantsBytes)
    }

    @Test func `a connection reads ahead only up to a limit`() {
        var machine = machine(after: Wire.request("GET", "/"))
        #expect(name(machine.next()) == "handle /")
        #expect(machine.wantsBytes)
        machine.receive([UInt8](repeating: 0, count: 1 << 20))
        #expect(!machine.wantsBytes)
        machine.respond(.status(200).with(fault: .stallBeforeHead))
        #expect(name(machine.next()) == "wait")
        #expect(machine.wantsBytes, "else a client that closes would not be noticed")
    }

    @Test func `nothing is sent after a reset`() {
        var machine = machine(after: Wire.request("GET", "/") + Wire.request("GET", "/2"))
        #expect(name(machine.next()) == "handle /")
        machine.respond(.status(200).with(fault: .resetBeforeHead))
        #expect(name(machine.next()) == "reset")
        #expect(name(machine.next()) == "wait")
    }

    private func machine(
        reading fault: MockUploadFault?, _ fields: String..., body: String = "0123456789"
    ) -> ConnectionMachine {
        let lines = ["POST / HTTP/1.1", "Host: test", "Content-Length: 10"] + fields
        var machine = machine(after: lines.joined(separator: "\r\n") + "\r\n\r\n" + body)
        #expect(name(machine.next()) == "decide /")
        #expect(name(machine.next()) == "wait")
        machine.readBody(fault)
        return machine
    }

    @Test func `a request body without a fault is read to its end`() {
        var machine = machine(reading: nil)
        #expect(name(machine.next()) == "handle /")
    }

    @Test func `an early response is sent, and the rest of the body is discarded`() {
        var machine = machine(reading: .respond(.status(413), after: 4))
        #expect(name(machine.next()) == "record / 0123")
        #expect(name(machine.next()) == "send HTTP/1.1 413")
        #expect(name(machine.next()) == "end sending")
        #expect(name(machine.next()) == "wait")
        #expect(machine.wantsBytes)
    }

    @Test func `a connection that breaks in a body closes or resets after the given bytes`() {
        var closing = machine(reading: .close(after: 3))
        #expect(name(closing.next()) == "record / 012")
        #expect(name(closing.next()) == "close")
        var resetting = machine(reading: .reset(after: 0))
        #expect(name(resetting.next()) == "record / ")
        #expect(name(resetting.next()) == "reset")
        var ending = machine(reading: .close(after: .max))
        #expect(name(ending.next()) == "record / 0123456789")
        #expect(name(ending.next()) == "close")
    }

    @Test func `a stall in a request body reads no more bytes`() {
        var machine = machine(reading: .stall(after: 3), body: "01234")
        #expect(machine.wantsBytes)
        #expect(name(machine.next()) == "record / 012")
        #expect(name(machine.next()) == "wait")
        #expect(!machine.wantsBytes)
    }

    @Test func `a slowly read body pauses after each piece and reads nothing during the pause`() {
        var machine = machine(reading: .slow(bytesAtATime: 4, pause: {}))
        for _ in 0..<2 {
            #expect(name(machine.next()) == "pause")
            #expect(name(machine.next()) == "wait")
            #expect(!machine.wantsBytes)
            machine.resume()
        }
        #expect(name(machine.next()) == "handle /")
    }

    @Test(
        arguments: [
            (nil, "send HTTP/1.1 100"), (.respond(.status(417), after: 0), "record / "),
            (.stall(after: 1), "send HTTP/1.1 100"), (.stall(after: 0), "record / "), (.ignoresExpectation, "wait"),
        ] as [(MockUploadFault?, String)])
    func `Expect: 100-continue gets a 100 response unless the upload fault prevents it`(
        _ fault: MockUploadFault?, _ action: String
    ) {
        var machine = machine(reading: fault, "Expect: 100-continue", body: "")
        #expect(name(machine.next()) == action)
    }

    @Test func `an upload fault of one request does not affect the next`() {
        var machine = machine(reading: .slow(bytesAtATime: 10, pause: {}))
        #expect(name(machine.next()) == "handle /")
        machine.respond(.status(200))
        #expect(name(machine.next()) == "send HTTP/1.1 200")
        machine.receive(Array(Wire.request("POST", "/2", "Expect: 100-continue", body: "0123456789").utf8))
        #expect(name(machine.next()) == "decide /2")
        machine.readBody(nil)
        #expect(name(machine.next()) == "send HTTP/1.1 100")
        #expect(name(machine.next()) == "handle /2")
    }
}
