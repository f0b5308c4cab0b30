/// One sending of a request that failed: what a ``Retrier`` is asked about.
public struct FailedAttempt: Sendable {
    /// The request, as it was sent on.
    public let request: TransportRequest
    /// Which sending it was; 1 is the first.
    public let number: Int
    /// What came of it: an answer of status 400 or more, or what was thrown.
    ///
    /// Of a streamed answer it is the head alone, with an empty body.
    public let outcome: Result<DataResponse, any Error>
    /// What is left of the request's ``TransportRequest/resourceTimeout``; nil where it has none.
    ///
    /// A wait that is as long or longer is not begun, whatever the retrier says.
    public let timeLeft: Duration?

    /// An attempt as a test of a retrier makes it.
    public init(
        request: TransportRequest, number: Int = 1, outcome: Result<DataResponse, any Error>, timeLeft: Duration? = nil
    ) {
        self.request = request
        self.number = number
        self.outcome = outcome
        self.timeLeft = timeLeft
    }

    /// The answer, if there was one.
    public var response: DataResponse? { try? outcome.get() }

    /// What was thrown, if no answer came.
    public var error: (any Error)? {
        guard case .failure(let error) = outcome else { return nil }
        return error
    }
}

extension TransportRequest {
    /// Whether the request can be sent once more: not with a body that can be read only once.
    ///
    /// Where this is false it is not sent again, whatever a retrier says.
    public var canBeSentAgain: Bool {
        bodyStream?.canBeReadAgain ?? (urlRequest.httpBodyStream == nil)
    }
}

extension Error {
    /// What the transport says, whichever of the three ways it came; nil for anything else.
    var transportCode: URLError.Code? {
        switch self {
        case let error as ErrandError where error.code == .timedOut: .timedOut
        case let error as ErrandError where error.code == .transportFailed:
            error.underlyingError.flatMap(URLError.init(bridging:))?.code
        case is ErrandError: nil
        case let failure as TransportFailure: failure.error.code
        default: URLError(bridging: self)?.code
        }
    }
}
