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

    /// The reason for the failure of a request to which the server responds with status 101.
    static let unaskedUpgrade = "the server switched protocols, which the request does not ask for"
}

extension TransportFailure: Confidential {
    /// The code and the reason, without other details of the error, such as the URL.
    public var description: String {
        ["TransportFailure", "\(error.code.rawValue)", reason?.onOneLogLine].compactMap(\.self).joined(separator: " ")
    }
}

extension Error {
    /// The code of the transport's error, which may be wrapped in another error; `timedOut` for every timeout, and
    /// `nil` for other errors.
    package var transportCode: URLError.Code? {
        switch self {
        case let error as ErrandError where error.code == .timedOut: .timedOut
        case let error as ErrandError where error.code == .transportFailed:
            error.underlyingError.flatMap(URLError.init(bridging:))?.code
        case is ErrandError: nil
        case let failure as TransportFailure: failure.error.code
        default: URLError(bridging: self)?.code
        }
    }

    /// Whether the cause is the network or a timeout.
    package var isNetworkFailure: Bool {
        switch self {
        case let error as ErrandError: error.code == .transportFailed || error.code == .timedOut
        case is TransportFailure: true
        default: URLError(bridging: self).map { $0.code != .cancelled } ?? false
        }
    }
}
