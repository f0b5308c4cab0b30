import Errand
import ErrandTesting

/// Converts a response and its fault into the steps that send it; a pure function.
struct ResponseWriter {
    /// A step, which must be finished before the next one.
    enum Step: Sendable {
        /// Send these bytes; at least one.
        case send(Data)
        /// Run the pause of the fault.
        case pause(MockFault.Pause)
        /// Send the pieces that the closure returns, as chunks or unframed.
        case stream(MockResponse.Chunks, isFramed: Bool)
        /// Do nothing until the client closes.
        case stall
        /// Close the connection in an orderly way.
        case close
        /// Close the connection with a reset.
        case reset
        /// Close for sending, and discard received bytes until the client closes too.
        ///
        /// Closing at once while bytes are unread would reset the connection, which could destroy the response.
        case linger
        /// Hand the connection over to another protocol.
        case upgrade(@Sendable (any ByteConnection) async -> Void)
    }

    /// Returns the steps for a response. After the last step, the connection is ready for the next request.
    ///
    /// The request is `nil` if it was invalid; the connection then ends after the response.
    static func steps(for response: MockResponse, to request: MockRequest?) -> [Step] {
        var response = response
        if let makeBody = response.bodyMaker { response.body = makeBody() }
        if let lineBreak = response.lineBreak {
            let text = "The MockResponse has \(lineBreak.onOneLogLine): use MockResponse.raw to send it\n"
            response = .text(text, statusCode: 500).with(closesConnection: response.closesConnection)
        }
        let wire = ResponseWire(response, to: request)
        let stream = streaming(wire, response.fault)
        if let cut = response.fault?.cut, wire.chunks == nil || response.fault?.cutsStream == true {
            let end: Step =
                switch cut.then {
                case .close: .close
                case .reset: .reset
                case .stall: .stall
                }
            let start = sending(wire.bytes.prefix(wire.offset(of: cut.at)))
            if case .head = cut.at { return start + [end] }
            return start + stream + [end]
        }
        let sent: [Step] =
            switch response.fault {
            case .drip(let size, let pause):
                sending(
                    wire.bytes, pausingAt: stride(from: max(size, 1), to: wire.bytes.count, by: max(size, 1)), pause)
            case .pauseBeforeEachChunk(let pause):
                sending(wire.bytes, pausingAt: wire.chunkStarts, pause)
            default:
                sending(wire.bytes)
            }
        if request == nil { return sent + [.linger] }
        if let upgrade = response.upgrade { return sent + [.upgrade(upgrade)] }
        return sent + stream + (wire.endsConnection ? [.close] : [])
    }

    /// Sends the body of a closure, with the end that its framing needs.
    private static func streaming(_ wire: ResponseWire, _ fault: MockFault?) -> [Step] {
        guard let (next, isFramed) = wire.chunks else { return [] }
        let stream = Step.stream(fault?.applied(to: next) ?? next, isFramed: isFramed)
        if fault?.cutsStream == true { return [stream] }
        let end = isFramed ? [Step.send(Data("0\r\n\r\n".utf8))] : []
        guard case .drip(_, let pause) = fault else { return [stream] + end }
        return [.pause(pause), stream] + end
    }

    private static func sending(_ bytes: Data) -> [Step] {
        bytes.isEmpty ? [] : [.send(bytes)]
    }

    /// Sends the bytes in pieces, with a pause at each of these ascending offsets.
    private static func sending(
        _ bytes: Data, pausingAt offsets: some Sequence<Int>, _ pause: @escaping MockFault.Pause
    ) -> [Step] {
        var steps: [Step] = []
        var start = 0
        for offset in offsets {
            steps += sending(bytes[start..<offset]) + [.pause(pause)]
            start = offset
        }
        return steps + sending(bytes[start...])
    }
}
