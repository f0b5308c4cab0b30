import Errand

/// A sent request and its outcome.
struct Exchange: Sendable {
    let request: URLRequest
    /// The response; `nil` if no complete response arrived.
    let response: DataResponse?
    let duration: Duration
    /// The metrics, if the transport reports them.
    let metrics: TransferMetrics?
}
