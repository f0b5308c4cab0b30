/// A failed attempt of a request, for which a ``Retrier`` decides whether to send it again.
public struct FailedAttempt: Sendable {
    /// The request as it was sent.
    public let request: TransportRequest
    /// The number of the attempt; 1 is the first.
    public let number: Int
    /// The outcome: a response whose status is not accepted, or the thrown error.
    ///
    /// For a streamed response, it is only the head, with an empty body.
    public let outcome: Result<DataResponse, any Error>
    /// The rest of the request's ``TransportRequest/resourceTimeout``; `nil` if it has none.
    ///
    /// A wait of at least this length is not started, regardless of the retrier's decision.
    public let timeLeft: Duration?

    /// Creates an attempt, for tests of a retrier.
    public init(
        request: TransportRequest, number: Int = 1, outcome: Result<DataResponse, any Error>, timeLeft: Duration? = nil
    ) {
        self.request = request
        self.number = number
        self.outcome = outcome
        self.timeLeft = timeLeft
    }

    /// The response, if there was one.
    public var response: DataResponse? { try? outcome.get() }

    /// The thrown error, if there was no response.
    public var error: (any Error)? {
        guard case .failure(let error) = outcome else { return nil }
        return error
    }
}

extension TransportRequest {
    /// Whether a response with this status counts as a success for retries.
    func accepts(_ statusCode: Int) -> Bool { acceptedStatusCodes?.contains(statusCode) ?? (statusCode < 400) }

    /// Whether the request can be sent again. It is `false` for a body that can be read only once.
    ///
    /// If it is `false`, the request is not sent again, regardless of the retrier's decision.
    public var canBeSentAgain: Bool {
        bodyStream?.canBeReadAgain ?? (urlRequest.httpBodyStream == nil)
    }
}

extension Error {
    /// The code of the transport's error, which may be wrapped in another error; `nil` for other errors.
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
}
