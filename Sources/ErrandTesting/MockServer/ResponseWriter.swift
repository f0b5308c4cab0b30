import Errand

/// Turns a response and its fault into the steps that a connection takes to send it; a pure function.
struct ResponseWriter {
    /// One thing to do, to be finished before the next.
    enum Step: Sendable {
        /// Send these bytes, at least one.
        case send(Data)
        /// Run the caller's pause.
        case pause(MockFault.Pause)
        /// Send what the closure gives, piece by piece, as chunks or as it is.
        case stream(MockResponse.Chunks, isFramed: Bool)
        /// Do nothing more until the client closes.
        case stall
        /// Close in order.
        case close
        /// Close so that the client sees a reset.
        case reset
        /// Close for sending, and drop what still comes until the client closes too.
        ///
        /// Closing at once while bytes are unread would reset the connection, and that could destroy the answer.
        case linger
        /// Have something else than HTTP spoken from here on.
        case upgrade(@Sendable (any ByteConnection) async -> Void)
    }

    /// The steps for an answer; after the last one the connection is free for the next request.
    ///
    /// The request is nil when it could not be read; after that answer the connection ends.
    static func steps(for response: MockResponse, to request: MockRequest?) -> [Step] {
        var response = response
        if let makeBody = response.bodyMaker { response.body = makeBody() }
        let wire = ResponseWire(response, to: request)
        if let cut = response.fault?.cut {
            let end: Step =
                switch cut.then {
                case .close: .close
                case .reset: .reset
                case .stall: .stall
                }
            return sending(wire.bytes.prefix(wire.offset(of: cut.at))) + [end]
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
        let stream = wire.chunks.map { [Step.stream($0.next, isFramed: $0.isFramed)] } ?? []
        if let upgrade = response.upgrade { return sent + [.upgrade(upgrade)] }
        return sent + stream + (wire.endsConnection ? [.close] : [])
    }

    private static func sending(_ bytes: Data) -> [Step] {
        bytes.isEmpty ? [] : [.send(bytes)]
    }

    /// Sends the bytes in pieces, with a pause at each of these offsets, which ascend.
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
