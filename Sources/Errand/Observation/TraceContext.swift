/// An observer that sends the trace of a request to the server, in the header fields `traceparent` and `tracestate`
/// (W3C Trace Context, Level 2).
///
/// ```swift
/// request.observers = [TraceContext()]
///
/// try await TraceContext.$current.withValue(incoming) {
///     try await request.start().value
/// }
/// ```
///
/// Each exchange is a separate span in the trace of ``current``. Without one, the exchanges of a run share a new trace.
/// It is for a program that passes traces on and records none; a tracing library does both, with an observer.
///
/// A request that has a `traceparent` or a `tracestate` keeps them. A redirect to the same origin gets the span of its
/// own exchange, and a redirect to another origin gets none, because that origin may be unrelated to the trace.
///
/// Observers are below the interceptors: a ``LoggingInterceptor`` does not show the fields, and a signature does not
/// cover them.
public struct TraceContext: ExchangeObserver {
    /// The trace context of the current task; `nil` outside a trace. Set it with
    /// `TraceContext.$current.withValue(_:operation:)`, for instance to the `TraceParent(_:state:)` of the request that
    /// a server handles.
    ///
    /// If its ``TraceParent/state`` is not a valid header field value, the request fails with
    /// ``ErrandError/Code-swift.struct/invalidHeaderField``.
    @TaskLocal public static var current: TraceParent?

    private let isSampled: Bool
    private let replacesFields: Bool
    private let random: @Sendable () -> UInt64

    /// Creates the observer.
    ///
    /// - Parameters:
    ///   - isSampled: Whether traces that begin here have the sampled flag; `false` by default. A trace from
    ///     ``current`` has its own flag.
    ///   - replacesFields: Whether a request's own `traceparent` and `tracestate` are replaced; `false` by default.
    ///   - random: Returns the random bits for IDs.
    public init(
        isSampled: Bool = false, replacesFields: Bool = false,
        random: @escaping @Sendable () -> UInt64 = { .random(in: .min ... .max) }
    ) {
        self.isSampled = isSampled
        self.replacesFields = replacesFields
        self.random = random
    }

    /// Begins the span of an exchange.
    public func began(_ exchange: ObservedExchange) -> any ExchangeObservation {
        let parent =
            (exchange.redirected as? Span)?.parent ?? Self.current
            ?? exchange.request.sharedByAttempts(TraceParent(isSampled: isSampled, random: random))
        let own = Self.fieldNames.filter { exchange.request.urlRequest.value(forHTTPHeaderField: $0) != nil }
        guard own.isEmpty || replacesFields else { return Span(parent: parent, fields: [:], replacesFields: false) }
        let position = parent.child(random: random)
        var fields: HeaderFields = ["traceparent": position.description]
        // The state of another trace is removed.
        fields["tracestate"] = position.state ?? (own.contains("tracestate") ? "" : nil)
        return Span(parent: parent, fields: fields, replacesFields: replacesFields)
    }

    private struct Span: ExchangeObservation {
        let parent: TraceParent
        let fields: HeaderFields
        let replacesFields: Bool
    }

    /// The names of the header fields, in lowercase.
    package static let fieldNames: Set<String> = ["traceparent", "tracestate"]
}
