/// An interceptor that sends the trace of a request to the server, in the header fields `traceparent` and `tracestate`
/// (W3C Trace Context, Level 1).
///
/// ```swift
/// request.interceptors = [TraceContext()]
///
/// try await TraceContext.$current.withValue(incoming) {
///     try await request.start().value
/// }
/// ```
///
/// Each attempt is a separate span in the trace of ``current``. Without one, the attempts of a request share a new
/// trace. A request that already has a `traceparent` is sent unchanged. The interceptors after this one run with the
/// attempt's span as ``current``.
///
/// A redirect to the same origin keeps the header fields. A redirect to another origin removes them, because that
/// origin may be unrelated to the trace.
public struct TraceContext: Interceptor {
    /// The trace context of the current task; `nil` outside a trace. Set it with
    /// `TraceContext.$current.withValue(_:operation:)`, for instance to the `TraceParent(_:state:)` of the request that
    /// a server handles.
    @TaskLocal public static var current: TraceParent?

    private let isSampled: Bool
    private let random: @Sendable () -> UInt64

    /// Creates the interceptor.
    ///
    /// - Parameters:
    ///   - isSampled: Whether traces that begin here are recorded; `false` by default. A trace from ``current`` has its
    ///     own flag.
    ///   - random: Returns the random bits for IDs.
    public init(isSampled: Bool = false, random: @escaping @Sendable () -> UInt64 = { .random(in: .min ... .max) }) {
        self.isSampled = isSampled
        self.random = random
    }

    /// Adds the header fields, and sends the request.
    ///
    /// - Throws: ``ErrandError`` with `invalidHeaderField` if a ``TraceParent/state`` is not a valid header field
    ///   value. Otherwise, the error of `next`.
    public func intercept(_ request: TransportRequest, next: Next) async throws -> DataResponse {
        guard request.urlRequest.value(forHTTPHeaderField: Self.parentField) == nil else {
            return try await next(request)
        }
        let span = parent(of: request).child(random: random)
        var request = request
        request.urlRequest.setValue(span.description, forHTTPHeaderField: Self.parentField)
        if let state = span.state, request.urlRequest.value(forHTTPHeaderField: Self.stateField) == nil {
            try RequestCheck.check(field: HeaderFields.Field(Self.stateField, state))
            request.urlRequest.setValue(state, forHTTPHeaderField: Self.stateField)
        }
        return try await Self.$current.withValue(span) { [request] in try await next(request) }
    }

    private func parent(of request: TransportRequest) -> TraceParent {
        if let current = Self.current { return current }
        let new = TraceParent(isSampled: isSampled, random: random)
        return request.call?.shared(new) ?? new
    }

    /// The names of the header fields, in lowercase.
    static let fieldNames: Set<String> = [parentField, stateField]
    private static let parentField = "traceparent"
    private static let stateField = "tracestate"
}
