/// A closure that returns header fields which must be awaited, such as a token from a keychain.
///
/// It is the type of ``APIBase/asynchronousHeaders``. An override of that property needs this name: in a module without
/// the upcoming feature `NonisolatedNonsendingByDefault`, the same type written as a closure is another one.
///
/// ```swift
/// override var asynchronousHeaders: AsynchronousHeaderFields? {
///     get { { ["X-Token": await Keychain.shared.token()] } }
///     set {}
/// }
/// ```
public typealias AsynchronousHeaderFields = @Sendable () async throws -> HeaderFields

/// An interceptor that adds asynchronous header fields, such as a token from a keychain, to each attempt.
///
/// The attempts of a retry policy, which precedes this interceptor, pass it each time. A ``RetryInterceptor`` that
/// follows it calls ``TransportRequest/renewed()`` before each further attempt, which awaits the fields again.
struct AsynchronousHeaders: Interceptor {
    /// All fields of the settings, and the `Accept` of an endpoint. The asynchronous fields replace them, except those
    /// in ``own``.
    private let settings: HeaderFields
    /// The request's own fields, which are not replaced.
    private let own: HeaderFields
    /// Returns the asynchronous fields.
    private let fields: AsynchronousHeaderFields

    /// - Parameters:
    ///   - fields: Returns the asynchronous fields.
    ///   - headers: The header fields of endpoint, class and service, without those for another server.
    ///   - own: All fields of the endpoint and the class. Those that `headers` does not have are for another server,
    ///     and are ignored here too.
    ///   - acceptsJSON: Whether the endpoint adds an `Accept`.
    init(
        _ fields: @escaping AsynchronousHeaderFields, headers: HeaderFields, own: HeaderFields,
        acceptsJSON: Bool
    ) {
        self.fields = fields
        self.own = HeaderFields(own.filter { headers.joined($0.name) == own.joined($0.name) })
        let accept: HeaderFields = acceptsJSON ? ["Accept": "application/json"] : [:]
        settings = accept.merging(headers)
    }

    func intercept(_ request: TransportRequest, next: Next) async throws -> DataResponse {
        try await next(await renewing(request))
    }

    /// Awaits the fields, at most for the time of the request, and returns the request with them and with its remaining
    /// time.
    func renewing(_ request: TransportRequest) async throws -> TransportRequest {
        let time = TimeLeft(to: request, clock: ContinuousClock())
        do {
            return try time.limiting(await time.wait { try await withFields(request) })
        } catch is TimeLeft.IsOver {
            let reason = "the resourceTimeout passed while it waited for `asynchronousHeaders`"
            throw ErrandError(.timedOut, reason: reason).with(request: request.urlRequest)
        }
    }

    /// Awaits the fields, and returns the request with them. Fields that others have set, such as an override of
    /// `buildURLRequest()` or an interceptor, are not replaced.
    private func withFields(_ request: TransportRequest) async throws -> TransportRequest {
        var request = request
        // The fields of the previous attempt, if a retry after this interceptor awaits them again.
        let previous = request[AwaitedFields.self]?.fields ?? [:]
        let awaited = try await fields()
        try RequestCheck.check(fields: awaited)
        var set = HeaderFields()
        for name in Set((previous.map(\.name) + awaited.map(\.name)).map { $0.lowercased() }) {
            let current = request.urlRequest.value(forHTTPHeaderField: name)
            let isReplaceable = [nil, previous.joined(name), settings.joined(name)].contains(current)
            guard own[name] == nil, isReplaceable else { continue }
            // If the closure no longer returns a field, the value of the settings replaces it.
            let value = awaited.joined(name) ?? settings.joined(name)
            request.urlRequest.setHeaderField(awaited.first { $0.name.lowercased() == name }?.name ?? name, value)
            if let value { set[name] = value }
        }
        request[AwaitedFields.self] = AwaitedFields(fields: set, source: self)
        return request
    }
}

/// The asynchronous fields of a request, for a retry that follows them.
private struct AwaitedFields: Sendable {
    let fields: HeaderFields
    let source: AsynchronousHeaders
}

extension TransportRequest {
    /// Returns this request for a further attempt, with its asynchronous header fields awaited again.
    func renewed() async throws -> TransportRequest {
        guard let source = self[AwaitedFields.self]?.source else { return self }
        return try await source.renewing(self)
    }
}
