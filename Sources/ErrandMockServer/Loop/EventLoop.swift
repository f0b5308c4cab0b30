import Errand
import ErrandTesting

/// The loop of the server's thread: waits for all sockets at once, and moves bytes without blocking.
///
/// Only this thread uses the connections. Handlers and pauses run as tasks, which report through the mailbox. They
/// refer to a connection by its number, so a report for a closed connection has no effect.
struct EventLoop {
    private let listener: Socket
    private let tls: TLSContext?
    private let mailbox: Mailbox
    private let journal: Journal
    private let router: Router
    private let faults: FaultTable
    private let maximumBodySize: Int
    private var connections: [Int: Connection] = [:]
    /// The tasks of upgraded connections. They may outlive their connections, to read the bytes that have arrived.
    private var serving: [Int: Task<Void, Never>] = [:]
    private var lastNumber = 0
    /// Whether the last attempt to accept a connection failed, for example because the process has no free descriptor.
    ///
    /// In this case the listener stays readable, and `poll` would return immediately, again and again. So the listener
    /// is left out of the next call of `poll`, which ends after ``acceptPause``. There is no event for a free
    /// descriptor.
    private var pausesAccepting = false
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

    /// Runs until it receives a stop message, and then closes everything.
    mutating func run() {
        while deliver(mailbox.take()) {
            pollOnce()
        }
        listener.end()
        for connection in connections.values { remove(connection) }
        for task in serving.values { task.cancel() }
        mailbox.end()
        journal.end(throwing: MockServerError.stopped)
    }

    /// Waits until sockets are ready, and handles all of them.
    private mutating func pollOnce() {
        let waiting = Array(connections.values)
        let accepting = pollfd(fd: pausesAccepting ? -1 : listener.descriptor, events: Int16(POLLIN), revents: 0)
        let timeout = pausesAccepting ? Self.acceptPause : -1
        pausesAccepting = false
        var polled = [mailbox.interest, accepting] + waiting.map(\.interest)
        guard poll(&polled, nfds_t(polled.count), timeout) > 0 else { return }
        for (connection, found) in zip(waiting, polled.dropFirst(2)) where found.revents != 0 {
            perform(connection.ready(found.revents), for: connection)
        }
        if polled[1].revents != 0 { acceptConnections() }
    }

    /// Handles the messages of other threads; returns `false` after a stop message.
    private mutating func deliver(_ messages: [Mailbox.Message]) -> Bool {
        for message in messages {
            switch message {
            case .respond(let response, let number):
                if let connection = connections[number] { perform(connection.respond(response), for: connection) }
            case .resume(let number):
                if let connection = connections[number] { perform(connection.resume(), for: connection) }
            case .stream(let piece, let number):
                if let connection = connections[number] { perform(connection.stream(piece), for: connection) }
            case .abandon(let number):
                if let connection = connections[number] { remove(connection) }
            case .output(let data, let number, let written):
                guard let connection = connections[number] else {
                    written.resolve(with: .failure(URLError(.networkConnectionLost)))
                    break
                }
                perform(connection.send(data, written), for: connection)
            case .served(let number):
                serving[number] = nil
                if let connection = connections[number] { remove(connection) }
            case .drained:
                // The next call of `poll` uses the new interest of the connection.
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
                pausesAccepting = true
                return
            }
            let session = tls.flatMap { try? TLSSession($0) }
            guard tls == nil || session != nil else {
                // Without memory for TLS, the connection is refused instead of served without TLS.
                socket.end()
                continue
            }
            lastNumber += 1
            let connection = Connection(
                number: lastNumber, socket: socket, tls: session, fault: faults.connectionFault(),
                maximumBodySize: maximumBodySize)
            connections[lastNumber] = connection
            journal.connectionOpened()
            perform(connection.begin(), for: connection)
        }
    }

    private mutating func remove(_ connection: Connection) {
        connections[connection.number] = nil
        connection.end()
        journal.connectionClosed()
    }

    private mutating func perform(_ demand: Connection.Demand, for connection: Connection) {
        let number = connection.number
        switch demand {
        case .nothing: break
        case .decide(let request):
            perform(connection.readBody(faults.uploadFault(request)), for: connection)
        case .record(var request):
            request.connection = number
            journal.record(router.named(request))
            perform(connection.proceed(), for: connection)
        case .handle(var request):
            request.connection = number
            connection.work = respond(to: request)
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

    /// Records a request, and starts its handler.
    private func respond(to request: MockRequest) -> Task<Void, Never> {
        let (request, handler) = router.route(request)
        journal.record(request)
        return Task { [mailbox] in
            let response: MockResponse
            do {
                response = try await handler(request).afterLatency()
            } catch {
                response = .text("\(error)\n", statusCode: 500)
            }
            mailbox.post(.respond(response, connection: request.connection))
        }
    }
}
