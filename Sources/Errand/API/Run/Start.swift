/// What is known when a request is started, before it is built. With what is then built, it becomes a ``RunPlan``.
final class Start: Sendable {
    /// The kind of exchange.
    let kind: Kind
    /// The endpoint that is sent in place of the object's own request; `nil` for a leaf.
    let endpoint: Boxed<Endpoint<DataResponse>>?
    /// The service in whose scope the request is started; `nil` without one.
    let service: Boxed<ServiceScope>?
    /// The report of the outermost pipeline, which tells the hook the outcome; `nil` if the run itself does.
    let report: RunReport?
    private let api: APIBase.Type

    /// The kind of exchange for which a request is started.
    enum Kind {
        /// A response whose body is collected.
        case response
        /// A response whose body is read as it arrives.
        case stream
        /// A download to a file. It counts its own progress, because its parts are one transfer.
        case download
        /// A WebSocket, whose base URL may have the scheme `ws` or `wss`.
        case webSocket
    }

    init(_ kind: Kind, of api: APIBase, endpoint: Endpoint<DataResponse>? = nil) {
        self.kind = kind
        self.endpoint = endpoint.map { Boxed($0) }
        service = ServiceScope.current.map { Boxed($0) }
        report = if case .scheduled(let report) = api.starting { report } else { nil }
        self.api = type(of: api)
    }

    /// Converts a failure into the API's own error: decodes the endpoint's error document, and calls the class's
    /// `mapError(_:)`.
    var conversion: @Sendable (any Error) -> any Error {
        { [api, endpoint] in api.mapError($0.decodingDocument(endpoint?.value.settings.errorDocument)) }
    }
}

/// The settings that apply to a request. They are resolved once for each start, when the request is built, so that an
/// override may set properties before it calls `super`.
final class ResolvedSettings: Sendable {
    let values: RequestSettings
    /// The interceptor that adds asynchronous header fields; `nil` if the settings have none.
    let asynchronousHeaders: AsynchronousHeaders?

    /// - Parameters:
    ///   - ownHeaders: The header fields of the class and the endpoint, which asynchronous ones do not replace; those
    ///     of the settings by default.
    ///   - acceptsJSON: Whether an `Accept` is added for a body from JSON.
    init(_ values: RequestSettings, ownHeaders: HeaderFields? = nil, acceptsJSON: Bool = false) {
        asynchronousHeaders = values.asynchronousHeaders.map {
            AsynchronousHeaders(
                $0, headers: values.headers, own: ownHeaders ?? values.headers,
                acceptsJSON: acceptsJSON && values.decodesJSON)
        }
        self.values = values
    }
}

/// How far the start of a request has come.
enum StartInProgress {
    /// A method such as `schedule()`, whose pipeline reports the outcome, calls the leaf's code.
    case scheduled(RunReport)
    /// `startRequest()` is running. The settings are `nil` until the request is built.
    case building(Start, ResolvedSettings?)
}

extension APIBase {
    /// The start in progress; a new one if a method is called without a start, such as ``buildURLRequest()`` alone.
    var currentStart: Start {
        if case .building(let start, _) = starting { start } else { Start(.response, of: self) }
    }

    /// Whether ``startRequest()`` is running.
    var isBuilding: Bool { if case .building = starting { true } else { false } }

    /// Starts a request by the open ``startRequest()``. The caller converts the failures, after the operators of an
    /// override.
    func pipeline(of start: Start) -> Pipeline<DataResponse, any Error> {
        do { try checkIsNotBuilding() } catch { return .fail(error) }
        return building(start) { startRequest() }
    }

    /// Starts a request as ``pipeline(of:)`` does, and converts its failures.
    func converted(_ start: Start) -> Pipeline<DataResponse, any Error> {
        pipeline(of: start).mapError(start.conversion)
    }

    /// Builds the request, for ``startRequest()``.
    func planned(_ start: Start) -> RunPlan {
        building(start) { RunPlan(start, Result { try builtTransportRequest() }, resolvedSettings(), of: self) }
    }

    /// Fails if the object sends a request within its own ``startRequest()``, which would never end.
    func checkIsNotBuilding() throws(ErrandError) {
        guard isBuilding else { return }
        let reason = "`startRequest()` or `buildURLRequest()` sends the request again: call `super.startRequest()`"
        throw ErrandError(.invalidSetting, reason: reason)
    }

    /// Runs a part of a start. The settings are resolved once in it.
    func building<Value>(_ start: Start, _ body: () throws -> Value) rethrows -> Value {
        let previous = starting
        starting = .building(start, nil)
        defer { starting = previous }
        return try body()
    }

    /// Starts a request whose outcome the returned pipeline reports to the hook, once for each run. A start within
    /// another one leaves the report to that one.
    ///
    /// - Parameter value: Returns the value that the hook receives.
    func reporting<Output: Sendable, Failure>(
        _ start: () -> Pipeline<Output, Failure>, as value: @escaping @Sendable (Output) -> any Sendable = { $0 }
    ) -> (pipeline: Pipeline<Output, Failure>, report: RunReport) {
        if case .scheduled(let report)? = starting { return (start(), report) }
        let report = RunReport()
        guard !isBuilding else { return (start(), report) }
        starting = .scheduled(report)
        defer { starting = nil }
        return (report.reported(start(), as: value), report)
    }

    /// Starts a request that is sent once for all tasks that wait for its response.
    ///
    /// - Parameter failure: Converts a failure. It is called for each waiting task.
    func scheduled<Output: Sendable, Cause, Failure>(
        _ start: () -> Pipeline<Output, Cause>, mapError failure: @escaping @Sendable (Cause) -> Failure
    ) -> ScheduledRequest<Output, Failure> {
        let (pipeline, report) = reporting(start)
        return ScheduledRequest(
            pipeline, upload: uploadProgress, download: downloadProgress, report: report, mapError: failure)
    }

    /// The settings that apply to the request: those of the endpoint, the service in scope, and this object.
    func resolvedSettings() -> ResolvedSettings {
        if case .building(_, let settings?) = starting { return settings }
        let start = currentStart
        let settings = settings(of: start)
        if isBuilding { starting = .building(start, settings) }
        return settings
    }

    private func settings(of start: Start) -> ResolvedSettings {
        let own = ownSettings
        // Most requests have only their own settings.
        guard start.endpoint != nil || start.service != nil else { return ResolvedSettings(own) }
        let (endpoint, scope) = (start.endpoint?.value, start.service?.value)
        let server = endpoint?.server
        let service = scope.flatMap { $0.destination(of: self, server: server) == .service ? $0.settings : nil }
        var settings = own
        if endpoint != nil || service != nil {
            settings = RequestSettings.resolved(
                endpoint: endpoint?.settings ?? RequestSettings(),
                service: service?.withoutSecrets(of: service?.baseURL?.url, for: server ?? url) ?? RequestSettings(),
                class: own.withoutSecrets(of: url ?? baseURL, for: server))
        }
        if endpoint != nil { settings.acceptedStatusCodes = settings.acceptedStatusCodes ?? .successful }
        if start.service != nil { settings = settings.withHooksOutsideOfService }
        return ResolvedSettings(
            settings, ownHeaders: own.headers.merging(endpoint?.settings.headers ?? [:]),
            acceptsJSON: endpoint?.acceptsJSON == true)
    }

    /// The settings of the class and the request object.
    private var ownSettings: RequestSettings {
        RequestSettings(
            baseURL: baseURL.map { BaseURL($0) }, headers: headers, session: session,
            interceptors: .adding(interceptors), retryPolicy: retryPolicy, hook: hook, decoder: decoder,
            encoder: encoder, acceptedStatusCodes: acceptedStatusCodes, acceptedContentTypes: acceptedContentTypes,
            timeoutInterval: timeoutInterval, resourceTimeout: resourceTimeout, maximumBodySize: maximumBodySize,
            redirectPolicy: redirectPolicy, priority: priority, cachePolicy: cachePolicy,
            asynchronousHeaders: asynchronousHeaders, observers: observers)
    }
}

extension RequestSettings {
    /// Whether bodies are decoded from JSON.
    var decodesJSON: Bool { decoder == nil || decoder is FastJSONDecoder || decoder is JSONDecoder }
}
