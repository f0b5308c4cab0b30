import Errand

/// What is to go wrong before a request can be answered.
final class FaultTable: Sendable {
    private struct Table {
        var connections: Turns<MockConnectionFault?>?
        var uploads: [(route: Route, turns: Turns<MockUploadFault?>)] = []
    }

    /// Guards the table, which is filled from any thread and looked up on the server's.
    private let table = Locked(Table())

    func setConnections(_ turns: Turns<MockConnectionFault?>?) {
        table.withLock { $0.connections = turns }
    }

    func addUpload(_ method: RequestMethod, _ pattern: String, _ turns: Turns<MockUploadFault?>) {
        let route = Route(method, pattern) { _ in .status(500) }
        table.withLock { $0.uploads.append((route, turns)) }
    }

    /// Lets go of every fault, and so of whatever their pauses capture.
    func removeAll() {
        let removed = table.withLock { table in
            defer { table = Table() }
            return table
        }
        // Released only here, without the lock: a pause may hold the last reference to anything.
        withExtendedLifetime(removed) {}
    }

    /// What goes wrong with a connection that has just been accepted.
    func connectionFault() -> MockConnectionFault? {
        let turns = table.withLock { $0.connections }
        return turns?.nextElement() ?? nil
    }

    /// What goes wrong while the body of a request with this head is read.
    func uploadFault(_ request: MockRequest) -> MockUploadFault? {
        let uploads = table.withLock { $0.uploads }
        let upload = uploads.last { $0.route.parameters(of: request) != nil }
        return upload?.turns.nextElement() ?? nil
    }
}
