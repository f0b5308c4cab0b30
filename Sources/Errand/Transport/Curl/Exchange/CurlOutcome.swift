#if canImport(CCurl)
/// The outcome of a hop, as determined by libcurl or by the loop.
struct CurlOutcome {
    /// The error code; `nil` if the hop succeeded as far as libcurl can tell.
    let failure: URLError.Code?

    /// The reason for the failure, in one sentence; `nil` if nothing is known beyond the code.
    let reason: String?

    /// The kind of outcome, which decides what follows the hop.
    let kind: Kind

    enum Kind {
        case success
        /// The connection was lost. This excludes a single stream that the server reset.
        case connectionLoss
        /// The server closed the HTTP/2 stream without an error, before the request was complete.
        case streamClosed
        /// Any other failure that libcurl reported.
        case failure
        /// The loop ended the transfer before its response was complete, for example after a cancellation or a timeout.
        case ours
    }

    init(failure: URLError.Code, reason: String? = nil) {
        self.failure = failure
        self.reason = reason
        kind = .ours
    }

    init(kind: Kind, failure: URLError.Code? = nil, reason: String? = nil) {
        self.kind = kind
        self.failure = failure
        self.reason = reason
    }

    /// The same failure as the loop's own decision about another transfer.
    var ofLoop: CurlOutcome { CurlOutcome(kind: .ours, failure: failure, reason: reason) }

    /// The loop ended a transfer whose response is complete.
    static let complete = CurlOutcome(kind: .success)

    /// libcurl treated the end of the connection as the end of the body.
    static let cutShort = CurlOutcome(
        kind: .connectionLoss, failure: .networkConnectionLost,
        reason: "the connection was cut before the response was complete")
}
#endif
