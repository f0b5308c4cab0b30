import Errand

/// A connection's socket, its TLS and its machine: moves bytes between them, on the server's thread only.
final class Connection {
    /// What the connection needs from the server now.
    enum Demand {
        /// Nothing, until its socket is ready or its work is done.
        case nothing
        /// What goes wrong while the body of a request with this head is read.
        case decide(MockRequest)
        /// To have it written down that this came.
        case record(MockRequest)
        case handle(MockRequest)
        case pause(MockFault.Pause)
        case pull(MockResponse.Chunks)
        /// Something else than HTTP is to be spoken over it, beginning with what has come.
        case upgrade(@Sendable (any ByteConnection) async -> Void, rest: [UInt8])
        /// To be removed: it is over.
        case removal
    }

    /// What the connection is there for.
    private enum Phase {
        case open
        /// Nothing is read, and nothing said, until the client closes.
        case stalled
        /// To be removed once all is sent.
        case closing
        /// Once all is sent, nothing more is; what comes is dropped until the client closes.
        case dropping
    }

    let number: Int
    /// The handler, the pause or the body that is running for it.
    var work: Task<Void, Never>?
    private let socket: Socket
    private let fault: MockConnectionFault?
    private var machine: ConnectionMachine
    private var outlet: Outlet
    /// What TLS says of the client, once it is known.
    private var details: MockRequest.TLS?
    private var phase = Phase.open
    private var isFirst = true
    /// Whether the client is told in TLS that the connection ends.
    private var isPolite: Bool
    /// The client sends nothing more, as its TLS says; its socket may still be open.
    private var clientIsDone = false
    /// What speaks over it, once it is not HTTP's any more, and waits for its bytes to be sent.
    private var wire: MockWire?
    private var written: CheckedContinuation<Void, any Error>?

    init(number: Int, socket: Socket, tls: TLSSession?, fault: MockConnectionFault?, maximumBodySize: Int) {
        self.number = number
        self.socket = socket
        self.fault = fault
        self.isPolite = tls != nil && fault != .closeWithoutNotice
        self.outlet = Outlet(socket: socket, tls: tls)
        self.machine = ConnectionMachine(maximumBodySize: maximumBodySize)
    }

    /// What `poll` is to wait for.
    var interest: pollfd {
        var events: Int32 = 0
        switch phase {
        case .stalled: events = SocketPlatform.hangup
        case .closing: break
        case .dropping: events = Int32(POLLIN)
        case .open:
            if let wire {
                if wire.hasRoom { events = Int32(POLLIN) }
            } else {
                events = machine.wantsBytes ? Int32(POLLIN) : SocketPlatform.hangup
            }
        }
        if !outlet.isEmpty { events |= Int32(POLLOUT) }
        return pollfd(fd: socket.descriptor, events: Int16(truncatingIfNeeded: events), revents: 0)
    }

    /// What is to be done as soon as it is accepted.
    func begin() -> Demand {
        switch fault {
        case .closeAtAccept:
            return .removal
        case .resetAtAccept:
            return reset()
        case .stallAtAccept:
            phase = .stalled
            return .nothing
        default:
            return .nothing
        }
    }

    /// Acts on what `poll` found.
    func ready(_ events: Int16) -> Demand {
        // Anything else, such as an error, shows when reading.
        if Int32(events) & ~Int32(POLLOUT) != 0 {
            if isHeld { return .removal }
            switch socket.receive() {
            case .bytes(let bytes):
                if let demand = receive(bytes) { return demand }
            case .nothingYet: break
            case .closed: return .removal
            }
        }
        return advance()
    }

    /// Goes on with what goes wrong while a body is read.
    func readBody(_ fault: MockUploadFault?) -> Demand {
        machine.readBody(fault)
        return advance()
    }

    /// Goes on with nothing new.
    func proceed() -> Demand {
        advance()
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
        outlet.append(data)
        self.written = written
        return advance()
    }

    /// Closes the socket and cancels what is running for it.
    func end() {
        work?.cancel()
        wire?.end()
        written?.resume(throwing: URLError(.networkConnectionLost))
        written = nil
        sayGoodbye()
        if isPolite { _ = outlet.flush() }
        socket.end()
    }

    /// Whether the socket is left unread on purpose: then what `poll` tells of is its end.
    private var isHeld: Bool {
        switch phase {
        case .stalled: true
        case .open: wire == nil && !machine.wantsBytes
        case .closing, .dropping: false
        }
    }

    /// Takes what came; what that demands, or nil to go on.
    private func receive(_ bytes: [UInt8]) -> Demand? {
        guard case .open = phase else { return nil }
        if isFirst {
            isFirst = false
            if let demand = meetFirstBytes() { return demand }
            guard case .open = phase else { return nil }
        }
        var plain = bytes
        if let tls = outlet.tls {
            let arrival = tls.receive(bytes)
            plain = arrival.bytes
            outlet.collect()
            clientIsDone = arrival.isClosed
            if arrival.hasFailed { phase = .dropping }
        }
        if let wire {
            wire.deliver(plain)
            if clientIsDone { return .removal }
        } else {
            machine.receive(plain)
        }
        return nil
    }

    /// What goes wrong when the first bytes have come.
    private func meetFirstBytes() -> Demand? {
        switch fault {
        case .closeAfterFirstBytes:
            return .removal
        case .resetAfterFirstBytes:
            return reset()
        case .stallAfterFirstBytes:
            phase = .stalled
        case .answersInPlainText:
            let head = "HTTP/1.1 400 Bad Request\r\nContent-Length: 0\r\nConnection: close\r\n\r\n"
            outlet.appendSealed(Data(head.utf8))
            phase = .dropping
        default:
            break
        }
        return nil
    }

    /// Does what the machine says until it has to wait for something.
    private func advance() -> Demand {
        while true {
            switch outlet.flush() {
            case .failed: return .removal
            case .blocked: return .nothing
            case .done: break
            }
            switch phase {
            case .open: break
            case .stalled: return .nothing
            case .closing: return .removal
            case .dropping:
                socket.endSending()
                return .nothing
            }
            written?.resume()
            written = nil
            switch machine.next() {
            case nil: return clientIsDone ? .removal : .nothing
            case .send(let data): outlet.append(data)
            case .decide(let request): return .decide(request)
            case .record(let request): return .record(introduced(request))
            case .handle(let request): return .handle(introduced(request))
            case .pause(let pause): return .pause(pause)
            case .pull(let chunks): return .pull(chunks)
            case .endSending:
                sayGoodbye()
                phase = .dropping
            case .close:
                sayGoodbye()
                phase = .closing
            case .reset:
                return reset()
            case .upgrade(let serve, let rest):
                return .upgrade(serve, rest: rest)
            }
        }
    }

    private func reset() -> Demand {
        isPolite = false
        socket.resetAtEnd()
        return .removal
    }

    private func sayGoodbye() {
        if isPolite { outlet.sayGoodbye() }
    }

    /// The request with what TLS says of the client.
    private func introduced(_ request: MockRequest) -> MockRequest {
        if details == nil { details = outlet.tls?.details() }
        var request = request
        request.tls = details
        return request
    }
}
