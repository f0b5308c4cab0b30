/// Tells servers which trace a request belongs to, by the fields `traceparent` and `tracestate` (W3C Trace Context,
/// Level 1).
///
/// ```swift
/// request.interceptors = [TraceContext()]
///
/// try await TraceContext.$current.withValue(incoming) {
///     try await request.start().value
/// }
/// ```
///
/// Each attempt is a span of its own in the trace of ``current``, or else in a new trace, which all attempts of a request
/// share. A request that has a `traceparent` already is sent as it is. What is behind this in the list runs with the span
/// of the attempt as its ``current``.
///
/// A redirect to the same origin takes the fields along, unchanged. One to another origin does not: whose trace that is, is
/// not known there.
public struct TraceContext: Interceptor {
    /// Where the running task is in a trace; nil outside of any. Set it with `TraceContext.$current.withValue(_:operation:)`,
    /// for instance to what `TraceParent(_:state:)` reads from the request that a server is answering.
    @TaskLocal public static var current: TraceParent?

    private let isSampled: Bool
    private let random: @Sendable () -> UInt64

    /// Marks each request.
    ///
    /// - Parameters:
    ///   - isSampled: Whether traces that begin here are recorded; those of ``current`` say it themselves.
    ///   - random: Where IDs come from: any 64 bits each time.
    public init(isSampled: Bool = false, random: @escaping @Sendable () -> UInt64 = { .random(in: .min ... .max) }) {
        self.isSampled = isSampled
        self.random = random
    }

    /// Adds the fields, and sends.
    ///
    /// - Throws: ``ErrandError`` with `invalidHeaderField` for a ``TraceParent/state`` that cannot be sent.
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
        return request.attempts?.shared(new) ?? new
    }

    /// The fields of a trace, in small letters.
    static let fieldNames: Set<String> = [parentField, stateField]
    private static let parentField = "traceparent"
    private static let stateField = "tracestate"
}
