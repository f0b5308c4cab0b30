import Errand
import ErrandTesting

/// A connection: moves bytes between its socket, its TLS session and its state machine. Used only on the server's
/// thread.
final class Connection {
    /// What the connection needs from the server.
    enum Demand {
        /// Nothing, until its socket is ready or its task has finished.
        case nothing
        /// The fault for reading the body of a request with this head.
        case decide(MockRequest)
        /// This request to be recorded.
        case record(MockRequest)
        case handle(MockRequest)
        case pause(MockFault.Pause)
        case pull(MockResponse.Chunks)
        /// This protocol to take over the connection, beginning with the bytes that have already arrived.
        case upgrade(@Sendable (any ByteConnection) async -> Void, rest: [UInt8])
        /// To be removed, because it has ended.
        case removal
    }

    /// The phase of the connection.
    private enum Phase {
        case open
        /// Reads and sends nothing until the client closes.
        case stalled
        /// Removed after everything has been sent.
        case closing
        /// Closes for sending after everything has been sent, and discards further bytes until the client closes.
        case dropping
    }

    let number: Int
    /// The running handler, pause or body of the connection.
    var work: Task<Void, Never>?
    private let socket: Socket
    private let fault: MockConnectionFault?
    private var machine: ConnectionMachine
    private var output: ConnectionOutput
    /// The TLS parameters, once the handshake is done.
    private var details: MockRequest.TLS?
    private var phase = Phase.open
    private var isFirst = true
    /// Whether a TLS close_notify is sent at the end of the connection.
    private var sendsCloseNotify: Bool
    /// Whether the client has sent a TLS close_notify. Its socket may still be open.
    private var clientIsDone = false
    /// The byte stream of the protocol that has replaced HTTP, and the continuation that waits until its bytes are
    /// sent.
    private var wire: MockWire?
    private var written: PipelinePromise<Void, any Error>?

    init(number: Int, socket: Socket, tls: TLSSession?, fault: MockConnectionFault?, maximumBodySize: Int) {
        self.number = number
        self.socket = socket
        self.fault = fault
        self.sendsCloseNotify = tls != nil && fault != .closeWithoutCloseNotify
        self.output = ConnectionOutput(socket: socket, tls: tls)
        self.machine = ConnectionMachine(maximumBodySize: maximumBodySize)
    }

    /// The events that `poll` waits for.
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
        if !output.isEmpty { events |= Int32(POLLOUT) }
        return pollfd(fd: socket.descriptor, events: Int16(truncatingIfNeeded: events), revents: 0)
    }

    /// Applies the fault of the connection after it is accepted.
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

    /// Handles the events that `poll` has found.
    func ready(_ events: Int16) -> Demand {
        // Other events, such as an error, are found by reading.
        if Int32(events) & ~Int32(POLLOUT) != 0 {
            if isUnread { return .removal }
            switch socket.receive() {
            case .bytes(let bytes):
                if let demand = receive(bytes) { return demand }
            case .nothingYet: break
            case .closed: return .removal
            }
        }
        return advance()
    }

    /// Continues to read a body, with a fault or without.
    func readBody(_ fault: MockUploadFault?) -> Demand {
        machine.readBody(fault)
        return advance()
    }

    /// Continues without new information.
    func proceed() -> Demand {
        advance()
    }

    func respond(_ response: MockResponse) -> Demand {
        machine.respond(response)
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

    /// Hands the connection over to a byte stream of another protocol.
    func upgrade(to wire: MockWire) {
        self.wire = wire
    }

    /// Sends bytes of that byte stream.
    func send(_ data: Data, _ written: PipelinePromise<Void, any Error>) -> Demand {
        output.append(data)
        self.written = written
        return advance()
    }

    /// Closes the socket, and cancels the running task.
    func end() {
        work?.cancel()
        wire?.end()
        written?.resolve(with: .failure(URLError(.networkConnectionLost)))
        written = nil
        sendCloseNotify()
        if sendsCloseNotify { _ = output.flush() }
        socket.end()
    }

    /// Whether the socket is deliberately not read. In this case, an event of `poll` means its end.
    private var isUnread: Bool {
        switch phase {
        case .stalled: true
        case .open: wire == nil && !machine.wantsBytes
        case .closing, .dropping: false
        }
    }

    /// Handles received bytes; returns `nil` to continue with ``advance()``.
    private func receive(_ bytes: [UInt8]) -> Demand? {
        guard case .open = phase else { return nil }
        if isFirst {
            isFirst = false
            if let demand = applyFirstBytesFault() { return demand }
            guard case .open = phase else { return nil }
        }
        var plain = bytes
        if let tls = output.tls {
            let arrival = tls.receive(bytes)
            plain = arrival.bytes
            output.collect()
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

    /// Applies the fault of the connection to its first bytes.
    private func applyFirstBytesFault() -> Demand? {
        switch fault {
        case .closeAfterFirstBytes:
            return .removal
        case .resetAfterFirstBytes:
            return reset()
        case .stallAfterFirstBytes:
            phase = .stalled
        case .respondsInPlainText:
            let head = "HTTP/1.1 400 Bad Request\r\nContent-Length: 0\r\nConnection: close\r\n\r\n"
            output.appendSealed(Data(head.utf8))
            phase = .dropping
        default:
            break
        }
        return nil
    }

    /// Performs the actions of the state machine until it must wait.
    private func advance() -> Demand {
        while true {
            switch output.flush() {
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
            written?.resolve(with: .success(()))
            written = nil
            switch machine.next() {
            case nil: return clientIsDone ? .removal : .nothing
            case .send(let data): output.append(data)
            case .decide(let request): return .decide(request)
            case .record(let request): return .record(withTLSDetails(request))
            case .handle(let request): return .handle(withTLSDetails(request))
            case .pause(let pause): return .pause(pause)
            case .pull(let chunks): return .pull(chunks)
            case .endSending:
                sendCloseNotify()
                phase = .dropping
            case .close:
                sendCloseNotify()
                phase = .closing
            case .reset:
                return reset()
            case .upgrade(let serve, let rest):
                return .upgrade(serve, rest: rest)
            }
        }
    }

    private func reset() -> Demand {
        sendsCloseNotify = false
        socket.resetAtEnd()
        return .removal
    }

    private func sendCloseNotify() {
        if sendsCloseNotify { output.sendCloseNotify() }
    }

    /// Returns the request with the TLS parameters of the connection.
    private func withTLSDetails(_ request: MockRequest) -> MockRequest {
        if details == nil { details = output.tls?.details() }
        var request = request
        request.tls = details
        return request
    }
}
