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
/// Each attempt that passes this interceptor is a separate span in the trace of ``current``. Without one, the attempts
/// of a request share a new trace. The interceptors after this one run with the attempt's span as ``current``. A
/// request that already has a `traceparent` is sent unchanged, and ``current`` stays.
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
    ///   - isSampled: Whether traces that begin here have the sampled flag; `false` by default. A trace from
    ///     ``current`` has its own flag.
    ///   - random: Returns the random bits for IDs.
    public init(isSampled: Bool = false, random: @escaping @Sendable () -> UInt64 = { .random(in: .min ... .max) }) {
        self.isSampled = isSampled
        self.random = random
    }

    /// As listed: it adds no credentials.
    public var placement: InterceptorPlacement { .asListed }

    /// Adds the header fields, and sends the request.
    ///
    /// - Throws: ``ErrandError`` with `invalidHeaderField` if the ``TraceParent/state`` of the trace is not a valid
    ///   header field value. Otherwise, the error of `next`.
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

    /// Returns the current span; without one, the beginning of a new trace, which all attempts of the request share.
    private func parent(of request: TransportRequest) -> TraceParent {
        if let current = Self.current { return current }
        return request.sharedByAttempts(TraceParent(isSampled: isSampled, random: random))
    }

    /// The names of the header fields, in lowercase.
    package static let fieldNames: Set<String> = [parentField, stateField]
    private static let parentField = "traceparent"
    private static let stateField = "tracestate"
}

/// A position in a distributed trace, as in the header field `traceparent` (W3C Trace Context, Level 1).
///
/// ```swift
/// TraceParent("00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01")?.isSampled    // true
/// ```
public struct TraceParent: Hashable, Sendable, CustomStringConvertible {
    // The two halves of the trace ID, and the parent ID.
    private let high: UInt64
    private let low: UInt64
    private let parent: UInt64
    /// Whether the caller may have recorded the trace.
    public var isSampled: Bool
    /// The `tracestate` of the position: vendor-specific data, which is passed on unchanged.
    public var state: String?

    /// The trace ID: 32 lowercase hexadecimal digits, not all zero.
    public var traceID: String { high.hexadecimal + low.hexadecimal }
    /// The ID of the calling span, which is the parent of the called one: 16 lowercase hexadecimal digits, not all
    /// zero.
    public var parentID: String { parent.hexadecimal }

    /// Parses the value of a `traceparent` header field.
    ///
    /// Reads version 00. From later versions, it reads the part that version 00 defines, as the specification requires
    /// (section 3.2.4). Returns `nil` for an invalid value: uppercase letters, a wrong length, version ff, or an ID
    /// that is all zeros.
    ///
    /// - Parameters:
    ///   - text: The value of `traceparent`.
    ///   - state: The value of `tracestate`; several fields joined by commas.
    public init?(_ text: String, state: String? = nil) {
        let bytes = Array(text.utf8)
        // The hyphens of version-traceID-parentID-flags, whose parts have 2, 32, 16 and 2 digits.
        guard bytes.count >= Self.length, [2, 35, 52].allSatisfy({ bytes[$0] == UInt8(ascii: "-") }),
            let version = UInt64(hexadecimal: bytes[0..<2]), version != 0xFF,
            bytes.count == Self.length || (version > 0 && bytes[Self.length] == UInt8(ascii: "-")),
            let high = UInt64(hexadecimal: bytes[3..<19]), let low = UInt64(hexadecimal: bytes[19..<35]),
            let parent = UInt64(hexadecimal: bytes[36..<52]), let flags = UInt64(hexadecimal: bytes[53..<55]),
            high != 0 || low != 0, parent != 0
        else { return nil }
        self.init(high: high, low: low, parent: parent, isSampled: flags & 1 == 1, state: state)
    }

    /// Creates a position from its IDs, in the format of the header field. Returns `nil` if one of them is invalid.
    public init?(traceID: String, parentID: String, isSampled: Bool = false, state: String? = nil) {
        self.init("00-\(traceID)-\(parentID)-\(isSampled ? "01" : "00")", state: state)
    }

    /// Creates the position at the beginning of a new trace.
    ///
    /// - Parameters:
    ///   - isSampled: Whether the caller may record the trace; `false` by default.
    ///   - random: Returns the random bits for the IDs.
    public init(isSampled: Bool = false, random: () -> UInt64 = { .random(in: .min ... .max) }) {
        let high = random()
        let low = random()
        self.init(
            high: high, low: high == 0 ? max(low, 1) : low, parent: max(random(), 1), isSampled: isSampled, state: nil)
    }

    private init(high: UInt64, low: UInt64, parent: UInt64, isSampled: Bool, state: String?) {
        self.high = high
        self.low = low
        self.parent = parent
        self.isSampled = isSampled
        self.state = state
    }

    /// Returns a new span in the same trace.
    ///
    /// - Parameter random: Returns the random bits for its ID.
    public func child(random: () -> UInt64 = { .random(in: .min ... .max) }) -> TraceParent {
        TraceParent(high: high, low: low, parent: max(random(), 1), isSampled: isSampled, state: state)
    }

    /// The value of `traceparent` in version 00. The only flag is the sampled flag.
    public var description: String { "00-\(traceID)-\(parentID)-\(isSampled ? "01" : "00")" }

    /// The number of characters in version 00.
    private static let length = 55
}

extension UInt64 {
    /// Parses lowercase hexadecimal digits.
    fileprivate init?(hexadecimal digits: ArraySlice<UInt8>) {
        guard digits.allSatisfy({ $0.isDigit || 0x61...0x66 ~= $0 }) else { return nil }
        self.init(String(decoding: digits, as: UTF8.self), radix: 16)
    }

    /// 16 lowercase hexadecimal digits.
    fileprivate var hexadecimal: String {
        let digits = String(self, radix: 16)
        return String(repeating: "0", count: 16 - digits.count) + digits
    }
}
