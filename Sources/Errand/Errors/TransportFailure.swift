/// A `URLError` with more details from the transport.
public struct TransportFailure: Error {
    /// The error, whose code is the kind of failure.
    public var error: URLError
    /// The failure in one sentence without secrets, which becomes ``ErrandError/reason``. `nil` uses the meaning of the
    /// code.
    public var reason: String?
    /// The metrics of the transfer until it failed; `nil` if the transport measures nothing.
    public var metrics: TransferMetrics?

    /// Creates a failure.
    ///
    /// - Parameters:
    ///   - error: The error, whose code is the kind of failure.
    ///   - reason: The failure in one sentence, which must not contain a secret.
    ///   - metrics: The metrics of the transfer until it failed.
    public init(_ error: URLError, reason: String? = nil, metrics: TransferMetrics? = nil) {
        self.error = error
        self.reason = reason
        self.metrics = metrics
    }
}

extension TransportFailure: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
    /// The code and the reason, without other details of the error, such as the URL.
    public var description: String {
        ["TransportFailure", "\(error.code.rawValue)", reason].compactMap(\.self).joined(separator: " ")
    }

    /// The same as ``description``.
    public var debugDescription: String { description }
    /// A mirror with only the description, so that `dump` shows no secret either.
    public var customMirror: Mirror { Mirror(self, children: ["description": description]) }
}
