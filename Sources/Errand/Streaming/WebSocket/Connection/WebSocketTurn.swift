/// The turn to write over a connection. One task at a time has the batch: the task of the connection, which waits for
/// the socket, or a task that sends a message and can write it at once.
enum WebSocketTurn: Sendable {
    case free(WebSocketBatch)
    /// A task has the batch. Meanwhile, another one may have asked for it.
    case taken(isAskedFor: Bool)
    /// Nothing is written any more.
    case over(ErrandError)

    /// Takes the batch; returns `nil` if another task has it, or if nothing is written any more.
    mutating func take() -> WebSocketBatch? {
        switch self {
        case .free(let batch):
            self = .taken(isAskedFor: false)
            return batch
        case .taken:
            self = .taken(isAskedFor: true)
            return nil
        case .over: return nil
        }
    }

    /// Gives the batch back.
    ///
    /// - Returns: Whether another task has asked for it.
    /// - Throws: The error of the batch's entries, if nothing is written any more.
    mutating func giveBack(_ batch: WebSocketBatch) throws(ErrandError) -> Bool {
        switch self {
        case .taken(let isAskedFor):
            self = .free(batch)
            return isAskedFor
        case .over(let error): throw error
        case .free: preconditionFailure("only the task that has the batch gives it back")
        }
    }

    /// Ends writing.
    ///
    /// - Returns: The batch, unless a task has it; that task then fails its entries.
    mutating func end(_ error: ErrandError) -> WebSocketBatch? {
        defer { self = .over(error) }
        guard case .free(let batch) = self else { return nil }
        return batch
    }
}
