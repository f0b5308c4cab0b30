public import Errand

/// An interceptor that disturbs a share of the requests on purpose, to show how a program works with a bad network.
///
/// ```swift
/// class CatalogueAPI: APIBase {
///     static let faults = FaultInjection([.after(.seconds(2)): 0.1, .status(503): 0.05, .failure(.timedOut): 0.01])
///     override init() {
///         super.init()
///         interceptors = [Self.faults]
///     }
/// }
///
/// CatalogueAPI.faults.isEnabled = ProcessInfo.processInfo.environment["CATALOGUE_FAULTS"] != nil
/// ```
///
/// It is off until ``isEnabled`` is set, and then each fault is one entry of the log. List it last, so that retries,
/// limits and circuit breakers before it work as with a bad server.
///
/// Each fault has its own random number for each request. The delays of a request add up, and of its other faults only
/// the first of the list takes effect. The numbers depend only on the seed and on the number of earlier requests.
///
/// The error that a fault causes says in its ``/Errand/ErrandError/reason`` that the fault is injected.
public final class FaultInjection: Interceptor {
    private struct State: Sendable {
        var isEnabled: Bool
        /// The state of the generator of random numbers (SplitMix64).
        var seed: UInt64

        /// Returns a number from 0 to 1, without 1.
        mutating func random() -> Double {
            seed &+= 0x9E37_79B9_7F4A_7C15
            var bits = seed
            bits = (bits ^ (bits >> 30)) &* 0xBF58_476D_1CE4_E5B9
            bits = (bits ^ (bits >> 27)) &* 0x94D0_49BB_1331_11EB
            return Double((bits ^ (bits >> 31)) >> 11) / Double(UInt64(1) << 53)
        }
    }

    /// Guards the switch and the draws.
    private let state: Locked<State>
    private let faults: [(fault: Fault, share: Double)]
    private let isAffected: @Sendable (TransportRequest) -> Bool
    private let clock: any Clock<Duration>
    private let sink: LoggingInterceptor.Sink?

    /// Creates an interceptor that is off.
    ///
    /// - Parameters:
    ///   - faults: The faults with their shares of the requests, from 0 to 1. A share outside this range counts as the
    ///     nearest bound, and NaN as 0.
    ///   - seed: The start of the random numbers; a random one by default. With the same seed, the same requests in
    ///     the same order meet the same faults.
    ///   - clock: The clock for delays.
    ///   - isAffected: A closure that decides whether a request may meet faults, such as by its host. By default, each
    ///     may. It is called while the interceptor is enabled, on the thread that sends the request.
    ///   - sink: The closure that receives the entry of each fault, as that of a ``/Errand/LoggingInterceptor``; `nil`
    ///     to log nothing. By default, entries are printed to standard error in debug builds.
    public init(
        _ faults: KeyValuePairs<Fault, Double>, seed: UInt64 = .random(in: .min ... .max),
        clock: any Clock<Duration> = ContinuousClock(),
        isAffected: @escaping @Sendable (TransportRequest) -> Bool = { _ in true },
        sink: LoggingInterceptor.Sink? = LoggingInterceptor.standardErrorInDebugBuilds
    ) {
        state = Locked(State(isEnabled: false, seed: seed))
        self.faults = faults.map { (fault: $0.key, share: $0.value) }
        self.clock = clock
        self.sink = sink
        self.isAffected = isAffected
    }

    /// Whether requests meet faults; `false` until it is set. It can be set at any time, from any thread.
    public var isEnabled: Bool {
        get { state.withLock { $0.isEnabled } }
        set { state.withLock { $0.isEnabled = newValue } }
    }

    /// As listed: it adds no credentials.
    public var placement: InterceptorPlacement { .asListed }

    /// Sends the request, unless a fault fails it or responds to it.
    ///
    /// - Throws: ``/Errand/ErrandError`` with `transportFailed`, `timedOut` or `cancelled`, or the error of `next`.
    public func intercept(_ request: TransportRequest, next: Next) async throws -> DataResponse {
        guard isEnabled, isAffected(request) else { return try await next(request) }
        let faults = drawnFaults()
        for fault in faults { sink?(LogEntry(fault: fault.text, in: request)) }
        let request = try await delayed(request, by: faults.filter { $0.latency != nil })
        switch faults.last?.effect {
        case .failure(let code): throw failure(code, Array(faults.suffix(1)), request)
        case .response(let makeResponse): return makeResponse(request.urlRequest.url)
        case .cut(let count):
            return try await next(request).cut(
                after: count, failure(.networkConnectionLost, Array(faults.suffix(1)), request))
        case .delay, nil: return try await next(request)
        }
    }

    /// The faults of the next request: the drawn delays, and then the first other fault that was drawn.
    private func drawnFaults() -> [Fault] {
        let drawn = state.withLock { state in faults.filter { state.random() < $0.share }.map(\.fault) }
        return drawn.filter { $0.latency != nil } + drawn.filter { $0.latency == nil }.prefix(1)
    }

    /// Waits for the delays together, and returns the request with its remaining time.
    private func delayed(_ request: TransportRequest, by delays: [Fault]) async throws -> TransportRequest {
        guard !delays.isEmpty else { return request }
        let latency = delays.compactMap(\.latency).reduce(.zero) { ($0 + $1).bounded }
        let idle = Duration(bounding: request.urlRequest.timeoutInterval)
        let limit = max(min(idle, request.resourceTimeout ?? idle), .zero)
        do {
            try await clock.sleep(for: min(latency, limit))
            try Task.checkCancellation()
        } catch {
            throw ErrandError(.cancelled).with(request: request.urlRequest)
        }
        guard latency < limit else { throw failure(.timedOut, delays, request) }
        return request.after(latency)
    }

    private func failure(_ code: URLError.Code, _ faults: [Fault], _ request: TransportRequest) -> ErrandError {
        let reason = "injected fault: \(faults.map(\.text).joined(separator: ", "))"
        return ErrandError(transportFailure: TransportFailure(URLError(code), reason: reason))
            .with(request: request.urlRequest)
    }
}
