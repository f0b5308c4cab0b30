import Errand
import ErrandTesting

/// The faults that occur before the server can respond.
final class FaultTable: Sendable {
    private struct Table {
        var connections: Turns<MockConnectionFault?>?
        var uploads: [(route: Route, turns: Turns<MockUploadFault?>)] = []
    }

    /// Guards the table, which any thread changes and the server's thread reads.
    private let table = Locked(Table())

    func setConnections(_ turns: Turns<MockConnectionFault?>?) {
        table.withLock { $0.connections = turns }
    }

    func addUpload(_ method: RequestMethod, _ pattern: String, _ turns: Turns<MockUploadFault?>) {
        let route = Route(method, pattern) { _ in .status(500) }
        table.withLock { $0.uploads.append((route, turns)) }
    }

    /// Releases all faults and the objects that their pauses capture.
    func removeAll() {
        let removed = table.withLock { table in
            defer { table = Table() }
            return table
        }
        // Released without the lock, because a pause may hold the last reference to any object.
        withExtendedLifetime(removed) {}
    }

    /// Returns the fault of a connection that was just accepted.
    func connectionFault() -> MockConnectionFault? {
        let turns = table.withLock { $0.connections }
        return turns?.nextElement() ?? nil
    }

    /// Returns the fault for reading the body of a request with this head.
    func uploadFault(_ request: MockRequest) -> MockUploadFault? {
        let uploads = table.withLock { $0.uploads }
        let upload = uploads.last { $0.route.parameters(of: request) != nil }
        return upload?.turns.nextElement() ?? nil
    }
}
