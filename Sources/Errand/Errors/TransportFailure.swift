/// A `URLError` with what else the transport knows about the failure.
public struct TransportFailure: Error {
    /// The error, whose code says what failed.
    public var error: URLError
    /// The failure in one sentence without secrets, which becomes ``ErrandError/reason``; `nil` uses the words of the
    /// code.
    public var reason: String?
    /// The metrics of the transfer until it failed; `nil` when the transport measures nothing.
    public var metrics: TransferMetrics?

    /// A failure with this error.
    ///
    /// - Parameters:
    ///   - error: The error, whose code says what failed.
    ///   - reason: The failure in one sentence, which must not show a secret.
    ///   - metrics: The metrics of the transfer until it failed.
    public init(_ error: URLError, reason: String? = nil, metrics: TransferMetrics? = nil) {
        self.error = error
        self.reason = reason
        self.metrics = metrics
    }
}

extension TransportFailure: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
    /// The code and the reason, without what else the error may hold, such as the URL.
    public var description: String {
        ["TransportFailure", "\(error.code.rawValue)", reason].compactMap(\.self).joined(separator: " ")
    }

    /// The same as ``description``.
    public var debugDescription: String { description }
    /// The description alone, so that `dump` shows no secret either.
    public var customMirror: Mirror { Mirror(self, children: ["description": description]) }
}
