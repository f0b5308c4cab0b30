/// Observes what is sent to a server: each attempt of a request, and each further request after a redirect. Spans and
/// metrics are made by observers, such as ``TraceContext`` and ``ExchangeSummary``.
///
/// ```swift
/// struct SlowRequests: ExchangeObserver {
///     func began(_ exchange: ObservedExchange) -> any ExchangeObservation { Slow(name: exchange.name) }
///
///     struct Slow: ExchangeObservation {
///         let name: String
///         func ended(_ outcome: ExchangeOutcome) {
///             if outcome.duration > .seconds(1) { print(name, outcome.duration) }
///         }
///     }
/// }
///
/// service.settings.observers = [SlowRequests()]
/// ```
///
/// It is called below all interceptors, only for what is sent:
///
/// | what happens | what is observed |
/// |---|---|
/// | a retry, a new token after status 401 | one exchange for each attempt, with ``ObservedExchange/resendCount`` 1, 2 … |
/// | a hedged request | exchanges that overlap; the slower one is cancelled |
/// | a redirect that is followed | the exchange ends with the redirect's status, and the next begins |
/// | a cached response, a response of an interceptor or a hook, a refusal by a limit or a check | nothing |
/// | a stub, or a response of a test network | the same as if it was sent |
/// | requests that share a transfer by `Coalescing` | one exchange, of the first request |
/// | a challenge for a ``TransportRequest/digestCredential``, or a reused connection that the server has closed | one exchange, although the transport sends the request twice |
/// | a token refresh, each request of a download that resumes, the handshake of a WebSocket | an exchange |
///
/// An observer is called in the task that sends the request, and for a redirect perhaps in another task. It should
/// return quickly, because its request waits.
public protocol ExchangeObserver: Sendable {
    /// Called when a request is about to be sent. Returns what observes this exchange.
    func began(_ exchange: ObservedExchange) -> any ExchangeObservation
}

/// The observation of one exchange.
public protocol ExchangeObservation: Sendable {
    /// The header fields that the request gets, such as those of its trace; none by default. They must not be
    /// credentials, because responses that are cached or shared are not compared by them.
    ///
    /// If the request already has one of these fields, none is added, unless ``replacesFields`` is `true`. A field with
    /// an empty value is removed. An invalid field fails the request with
    /// ``ErrandError/Code-swift.struct/invalidHeaderField``. After a redirect, an invalid field is left out, and a
    /// request to another origin than the first gets none.
    var fields: HeaderFields { get }
    /// Whether ``fields`` replace those that the request has; `false` by default.
    var replacesFields: Bool { get }

    /// Called once, when the whole response has arrived or the exchange has failed. The exchange of a response that is
    /// read as it arrives ends with its head. Does nothing by default.
    func ended(_ outcome: ExchangeOutcome)
}

extension ExchangeObservation {
    /// No fields.
    public var fields: HeaderFields { [:] }
    /// `false`.
    public var replacesFields: Bool { false }
    /// Does nothing.
    public func ended(_ outcome: ExchangeOutcome) {}
}
