import Errand

/// A request that was sent on, and what came back.
struct Exchange: Sendable {
    let request: URLRequest
    /// Nil where no whole answer came.
    let response: DataResponse?
    let duration: Duration
    /// As far as the transport tells.
    let metrics: TransferMetrics?
}
