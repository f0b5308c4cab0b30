import Errand

/// A connection's socket and its machine: moves bytes between the two, on the server's thread only.
final class Connection {
    /// What the connection needs from the server now.
    enum Demand {
        /// Nothing, until its socket is ready or its work is done.
        case nothing
        case handle(MockRequest)
        case pause(MockFault.Pause)
        case pull(MockResponse.Chunks)
        /// Something else than HTTP is to be spoken over it, beginning with what has come.
        case upgrade(@Sendable (any ByteConnection) async -> Void, rest: [UInt8])
        /// To be removed: it is over.
        case removal
    }

    let number: Int
    /// The handler, the pause or the body that is running for it.
    var work: Task<Void, Never>?
    private let socket: Socket
    private var machine: ConnectionMachine
    /// What the socket has not taken yet of the bytes to send.
    private var unsent = Data()
    /// What speaks over it, once it is not HTTP's any more, and waits for its bytes to be sent.
    private var wire: MockWire?
    private var written: CheckedContinuation<Void, any Error>?

    init(number: Int, socket: Socket, maximumBodySize: Int) {
        self.number = number
        self.socket = socket
        self.machine = ConnectionMachine(maximumBodySize: maximumBodySize)
    }

    /// What `poll` is to wait for.
    var interest: pollfd {
        var events: Int32 = 0
        if wire?.hasRoom ?? machine.wantsBytes { events |= Int32(POLLIN) }
        if !unsent.isEmpty { events |= Int32(POLLOUT) }
        return pollfd(fd: socket.descriptor, events: Int16(events), revents: 0)
    }

    /// Acts on what `poll` found.
    func ready(_ events: Int16) -> Demand {
        // Anything else, such as an error, shows when reading.
        if Int32(events) & ~Int32(POLLOUT) != 0 {
            switch socket.receive() {
            case .bytes(let bytes):
                if let wire { wire.deliver(bytes) } else { machine.receive(bytes) }
            case .nothingYet: break
            case .closed: return .removal
            }
        }
        return advance()
    }

    func answer(_ response: MockResponse) -> Demand {
        machine.answer(response)
        return advance()
    }

    func resume() -> Demand {
        machine.resume()
        return advance()
    }

    func stream(_ piece: Data?) -> Demand {
        machine.stream(piece)
        return advance()
    }

    /// From here on it is a wire's.
    func upgrade(to wire: MockWire) {
        self.wire = wire
    }

    /// Sends the wire's bytes.
    func send(_ data: Data, _ written: CheckedContinuation<Void, any Error>) -> Demand {
        unsent = data
        self.written = written
        return advance()
    }

    /// Closes the socket and cancels what is running for it.
    func end() {
        work?.cancel()
        wire?.end()
        written?.resume(throwing: URLError(.networkConnectionLost))
        written = nil
        socket.end()
    }

    /// Does what the machine says until it has to wait for something.
    private func advance() -> Demand {
        while true {
            while !unsent.isEmpty {
                guard let count = socket.transmit(unsent) else { return .removal }
                guard count > 0 else { return .nothing }
                unsent = unsent.dropFirst(count)
            }
            written?.resume()
            written = nil
            switch machine.next() {
            case nil: return .nothing
            case .send(let data): unsent = data
            case .handle(let request): return .handle(request)
            case .pause(let pause): return .pause(pause)
            case .pull(let chunks): return .pull(chunks)
            case .endSending: socket.endSending()
            case .close: return .removal
            case .reset:
                socket.resetAtEnd()
                return .removal
            case .upgrade(let serve, let rest):
                return .upgrade(serve, rest: rest)
            }
        }
    }
}
