import Errand

/// The server's one thread: waits for every socket at once, and moves what can be moved without blocking.
///
/// It alone touches the connections. Handlers and pauses run as tasks, which report through the mailbox; a connection
/// is named by its number there, so a report for one that is gone finds nothing.
struct EventLoop {
    private let listener: Socket
    private let tls: TLSContext?
    private let mailbox: Mailbox
    private let journal: Journal
    private let router: Router
    private let faults: FaultTable
    private let maximumBodySize: Int
    private var connections: [Int: Connection] = [:]
    /// What speaks over upgraded connections: it outlives them, so that what has come can still be read.
    private var serving: [Int: Task<Void, Never>] = [:]
    private var lastNumber = 0
    /// Whether the last attempt to accept a connection failed, for example because the process has no descriptor left.
    ///
    /// The listener stays readable then, so `poll` would return at once, again and again. It is left out of one call of `poll`,
    /// which ends after ``acceptPause``: no event tells that a descriptor is free again.
    private var restsFromAccepting = false
    /// The pause after an attempt to accept a connection failed, in milliseconds.
    private static let acceptPause: Int32 = 20

    init(
        listener: Socket, tls: TLSContext?, mailbox: Mailbox, journal: Journal, router: Router, faults: FaultTable,
        maximumBodySize: Int
    ) {
        self.listener = listener
        self.tls = tls
        self.mailbox = mailbox
        self.journal = journal
        self.router = router
        self.faults = faults
        self.maximumBodySize = maximumBodySize
    }

    /// Runs until it is told to stop, then closes everything.
    mutating func run() {
        while deliver(mailbox.take()) {
            serveWhatIsReady()
        }
        listener.end()
        for connection in connections.values { remove(connection) }
        for task in serving.values { task.cancel() }
        mailbox.end()
        journal.end(throwing: MockServerError.stopped)
    }

    /// Waits until something is ready, and serves all that is.
    private mutating func serveWhatIsReady() {
        let waiting = Array(connections.values)
        let accepting = pollfd(fd: restsFromAccepting ? -1 : listener.descriptor, events: Int16(POLLIN), revents: 0)
        let timeout = restsFromAccepting ? Self.acceptPause : -1
        restsFromAccepting = false
        var polled = [mailbox.interest, accepting] + waiting.map(\.interest)
        guard poll(&polled, nfds_t(polled.count), timeout) > 0 else { return }
        for (connection, found) in zip(waiting, polled.dropFirst(2)) where found.revents != 0 {
            meet(connection.ready(found.revents), of: connection)
        }
        if polled[1].revents != 0 { acceptConnections() }
    }

    /// Acts on what other threads have said; false when that is to stop.
    private mutating func deliver(_ messages: [Mailbox.Message]) -> Bool {
        for message in messages {
            switch message {
            case .answer(let response, let number):
                if let connection = connections[number] { meet(connection.answer(response), of: connection) }
            case .resume(let number):
                if let connection = connections[number] { meet(connection.resume(), of: connection) }
            case .stream(let piece, let number):
                if let connection = connections[number] { meet(connection.stream(piece), of: connection) }
            case .abandon(let number):
                if let connection = connections[number] { remove(connection) }
            case .output(let data, let number, let written):
                guard let connection = connections[number] else {
                    written.resume(throwing: URLError(.networkConnectionLost))
                    break
                }
                meet(connection.send(data, written), of: connection)
            case .served(let number):
                serving[number] = nil
                if let connection = connections[number] { remove(connection) }
            case .drained:
                // It is asked again what it waits for, before the next wait.
                break
            case .stop:
                return false
            }
        }
        return true
    }

    private mutating func acceptConnections() {
        while true {
            let socket: Socket
            switch listener.nextConnection() {
            case .connection(let accepted): socket = accepted
            case .nothingYet: return
            case .failed:
                restsFromAccepting = true
                return
            }
            let session = tls.flatMap { try? TLSSession($0) }
            guard tls == nil || session != nil else {
                // Out of memory: better no connection than one without TLS.
                socket.end()
                continue
            }
            lastNumber += 1
            let connection = Connection(
                number: lastNumber, socket: socket, tls: session, fault: faults.connectionFault(),
                maximumBodySize: maximumBodySize)
            connections[lastNumber] = connection
            journal.connectionOpened()
            meet(connection.begin(), of: connection)
        }
    }

    private mutating func remove(_ connection: Connection) {
        connections[connection.number] = nil
        connection.end()
        journal.connectionClosed()
    }

    private mutating func meet(_ demand: Connection.Demand, of connection: Connection) {
        let number = connection.number
        switch demand {
        case .nothing: break
        case .decide(let request):
            meet(connection.readBody(faults.uploadFault(request)), of: connection)
        case .record(var request):
            request.connection = number
            journal.record(router.named(request))
            meet(connection.proceed(), of: connection)
        case .handle(var request):
            request.connection = number
            connection.work = answering(request)
        case .pause(let pause):
            connection.work = Task { [mailbox] in
                do {
                    try await pause()
                    mailbox.post(.resume(connection: number))
                } catch {
                    mailbox.post(.abandon(connection: number))
                }
            }
        case .pull(let chunks):
            connection.work = Task { [mailbox] in
                do {
                    mailbox.post(.stream(try await chunks(), connection: number))
                } catch {
                    mailbox.post(.abandon(connection: number))
                }
            }
        case .upgrade(let serve, let rest):
            let wire = MockWire(number: number, mailbox: mailbox, rest: rest)
            connection.upgrade(to: wire)
            serving[number] = Task { [mailbox] in
                await serve(wire)
                mailbox.post(.served(connection: number))
            }
        case .removal:
            remove(connection)
        }
    }

    /// Starts the handler for a request, after writing down that it came.
    private func answering(_ request: MockRequest) -> Task<Void, Never> {
        let (request, handler) = router.route(request)
        journal.record(request)
        return Task { [mailbox] in
            let response: MockResponse
            do {
                response = try await handler(request).whenItComes()
            } catch {
                response = .text("\(error)\n", statusCode: 500)
            }
            mailbox.post(.answer(response, connection: request.connection))
        }
    }
}
