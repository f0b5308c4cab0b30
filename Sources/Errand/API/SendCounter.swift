/// How often a request was sent, within the `retry(_:)` of a pipeline that is running; without one, once.
///
/// A pipeline is a value, and each run of it begins to count anew, so the count belongs to the retry and not to it.
final class SendCounter: Sendable {
    /// Before it is sent: how often it was sent already.
    var earlier: Int { RetryScope.current?.runs(of: self) ?? 0 }

    /// Once it is sent: how often, this time included.
    var count: Int { RetryScope.current?.runs(of: self) ?? 1 }

    func add() {
        RetryScope.current?.add(to: self)
    }
}
