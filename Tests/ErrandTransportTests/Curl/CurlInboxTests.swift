#if canImport(CCurl)
import Foundation
import Testing

@testable import Errand

struct `The inbox of an engine` {
    private var inbox = CurlInbox()

    private func transfer() throws -> CurlTransfer {
        try CurlTransfer(TransportRequest(URLRequest(url: try #require(URL(string: "https://api.example.com")))))
    }

    private mutating func take() -> CurlInbox.Batch { inbox.takeBatch(reusing: CurlInbox.Batch()) }

    @Test mutating func `a command wakes a sleeping thread once and does not signal an awake one`() throws {
        let command = CurlEngine.Command.cancel(try transfer())
        var receipts = [inbox.add(command)]
        _ = take()
        var sleeps = [inbox.fallAsleep(knowing: nil)]
        receipts += [inbox.add(command), inbox.add(command)]
        _ = take()
        sleeps += [inbox.fallAsleep(knowing: nil)]
        inbox.wakeUp()
        receipts += [inbox.add(command)]
        #expect(receipts == [.taken, .takenAsleep, .taken, .taken])
        #expect(sleeps == [true, true])
    }

    @Test mutating func `the thread does not sleep while there are commands`() throws {
        _ = inbox.add(.cancel(try transfer()))
        var sleeps = [inbox.fallAsleep(knowing: nil)]
        let count = take().commands.count
        sleeps += [inbox.fallAsleep(knowing: nil)]
        #expect(count == 1)
        #expect(sleeps == [false, true])
    }

    @Test mutating func `the thread does not sleep before it knows of a shutdown`() {
        var receipts = [inbox.shutDown(.finishing) {}]
        var sleeps = [inbox.fallAsleep(knowing: nil)]
        var known = [take().shutdown]
        sleeps += [inbox.fallAsleep(knowing: .finishing)]
        receipts += [inbox.shutDown(.cancelling) {}]
        sleeps += [inbox.fallAsleep(knowing: .finishing)]
        receipts += [inbox.shutDown(.finishing) {}]
        known += [take().shutdown]
        #expect(receipts == [.taken, .takenAsleep, .taken])
        #expect(sleeps == [false, true, false])
        #expect(known == [.finishing, .cancelling])
    }

    @Test mutating func `shutdown handlers are kept until they are taken`() {
        for _ in 0..<3 { _ = inbox.shutDown(.finishing) {} }
        let handlers = [inbox.takeShutdownHandlers().count, inbox.takeShutdownHandlers().count]
        #expect(handlers == [3, 0])
    }

    @Test mutating func `a transfer that starts after the shutdown is refused`() throws {
        _ = inbox.shutDown(.finishing) {}
        _ = inbox.add(.start(try transfer()))
        guard case .refuse? = take().commands.first else {
            Issue.record("the transfer was accepted")
            return
        }
    }

    @Test mutating func `an inbox closes only when it is empty and then refuses commands`() throws {
        let command = CurlEngine.Command.cancel(try transfer())
        _ = inbox.add(command)
        var closes = [inbox.close()]
        _ = take()
        closes += [inbox.close()]
        #expect(closes == [false, true])
        let receipt = inbox.add(command)
        #expect(receipt == .refused)
    }

    @Test mutating func `a shutdown waits for the thread that still closes its connections`() {
        _ = inbox.close()
        var receipts = [inbox.shutDown(.finishing) {}]
        let handlers = inbox.takeShutdownHandlers()
        receipts += [inbox.shutDown(.finishing) {}]
        #expect(handlers.count == 1)
        #expect(receipts == [.taken, .refused])
    }
}
#endif
