import Errand
import ErrandTesting

/// Runs an ``EventLoop`` on a separate thread, and stops it.
///
/// The thread keeps references to the parts of the loop, but not to this object or the server. So releasing the server
/// stops the thread.
final class LoopThread: Sendable {
    private let mailbox: Mailbox
    private let thread: ObjectIdentifier
    private let end = DispatchGroup()

    /// Starts serving. Takes over the listener, even if it throws.
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
        // The loop may release the last reference to a pause, and with it the last one to the server. Then this runs on
        // the loop's own thread, which must not wait for itself.
        if ObjectIdentifier(Thread.current) != thread { end.wait() }
    }
}
