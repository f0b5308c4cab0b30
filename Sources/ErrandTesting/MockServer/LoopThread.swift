import Errand

/// Runs an ``EventLoop`` on a thread of its own, and ends it.
///
/// The thread holds on to what the loop needs, never to this nor to the server, so that dropping the server stops it.
final class LoopThread: Sendable {
    private let mailbox: Mailbox
    private let thread: ObjectIdentifier
    private let end = DispatchGroup()

    /// Starts serving; takes over the listener, also when it throws.
    init(
        listener: Socket, tls: TLSContext?, journal: Journal, router: Router, faults: FaultTable, maximumBodySize: Int
    ) throws(MockServerError) {
        let mailbox: Mailbox
        do {
            mailbox = try Mailbox()
        } catch {
            listener.end()
            throw error
        }
        self.mailbox = mailbox
        end.enter()
        let thread = Thread { [end] in
            Thread.current.name = "MockServer"
            var loop = EventLoop(
                listener: listener, tls: tls, mailbox: mailbox, journal: journal, router: router,
                faults: faults, maximumBodySize: maximumBodySize)
            loop.run()
            end.leave()
        }
        self.thread = ObjectIdentifier(thread)
        thread.start()
    }

    /// Tells the loop to stop and waits until it has closed everything.
    func stop() {
        mailbox.post(.stop)
        // The loop can hold the last reference to a pause, and that the last one to the server: then this is the
        // loop's own thread, which must not wait for itself.
        if ObjectIdentifier(Thread.current) != thread { end.wait() }
    }
}
