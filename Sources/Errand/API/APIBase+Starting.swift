/// What an ``APIBase`` knows while it starts a request. Between starts, all values except `hook` are the defaults.
struct StartState {
    /// The kind of exchange.
    var kind = StartKind.response
    /// The endpoint that is sent in place of the object's own request; `nil` for a leaf.
    var endpoint: Shared<Endpoint<DataResponse>>?
    /// Whether a request is being started, so that its settings are resolved only once, and a long body is encoded
    /// when it is sent.
    var isStarting = false
    /// The settings of the request that is being started; `nil` until they are resolved.
    var settings: Shared<RequestSettings>?
    /// Whether the caller of ``APIBase/startRequest()`` applies ``APIBase/failureConversion``, after operators that an
    /// override adds. Otherwise, `startRequest()` itself applies it.
    var convertsLater = false
    /// Whether the outcome of the pipeline with all operators is reported to the hook, and not that of the run alone.
    /// ``APIBase/reporting(_:as:)`` sets it.
    var isReported = false
    /// The hook of the request that was started last.
    var hook: RequestHook?
}

/// A large value that a start and its runs share by reference, because copying it would take longer.
final class Shared<Value: Sendable>: Sendable {
    let value: Value

    init(_ value: Value) {
        self.value = value
    }
}

/// The kind of exchange for which a request is started.
enum StartKind {
    /// A response whose body is collected.
    case response
    /// A response whose body is read as it arrives.
    case stream
    /// A download to a file. It counts its own progress, because its parts are one transfer.
    case download
    /// A WebSocket, whose base URL may have the scheme `ws` or `wss`.
    case webSocket
}

extension APIBase {
    /// Runs the start of a request, during which the settings are resolved only once.
    func startingOnce<Value>(_ body: () throws -> Value) rethrows -> Value {
        guard !state.isStarting else { return try body() }
        state.isStarting = true
        defer { (state.isStarting, state.settings) = (false, nil) }
        return try body()
    }

    /// Starts a request, and reports the outcome of the pipeline that `start` returns to the hook, once for each run.
    /// Calls within `start` do not report again.
    ///
    /// - Parameter value: Returns the value that the hook receives.
    func reporting<Output: Sendable, Failure>(
        _ start: () -> Pipeline<Output, Failure>, as value: @escaping @Sendable (Output) -> any Sendable = { $0 }
    ) -> Pipeline<Output, Failure> {
        guard !state.isReported else { return start() }
        (state.isReported, state.hook) = (true, nil)
        defer { state.isReported = false }
        // A new holder, because requests that the object started before keep theirs.
        latestIfCreated = LatestHead()
        let pipeline = start()
        // `startRequest()` has set it, if it was called and the request has a hook.
        guard let hook = state.hook else { return pipeline }
        return pipeline.reporting(to: hook, request: request, latest: latest, as: value)
    }

    /// Runs a part of a start with another value in its state.
    @inline(__always)
    func starting<Part, Value>(
        with part: WritableKeyPath<StartState, Part>, _ value: Part, _ body: () throws -> Value
    ) rethrows -> Value {
        let previous = state[keyPath: part]
        state[keyPath: part] = value
        defer { state[keyPath: part] = previous }
        return try body()
    }

    /// Starts an endpoint in place of the object's own request.
    package func sending<Value>(_ endpoint: Endpoint<some Sendable>, _ body: () throws -> Value) rethrows -> Value {
        try starting(with: \.endpoint, Shared(endpoint.undecoded), body)
    }

    /// The settings that apply to the request: those of the endpoint, the service in scope, and this object.
    func resolvedSettings() -> Shared<RequestSettings> {
        if let settings = state.settings { return settings }
        let settings = Shared(combinedSettings())
        if state.isStarting { state.settings = settings }
        return settings
    }

    private func combinedSettings() -> RequestSettings {
        guard let scope = ServiceScope.current else { return settings(in: nil) }
        return settings(in: scope.destination(of: self) == .service ? scope : nil).withHooksOutsideOfService
    }

    /// - Parameter scope: The service that applies to the request; `nil` for none.
    private func settings(in scope: ServiceScope?) -> RequestSettings {
        let endpoint = state.endpoint?.value
        // Most requests have only their own settings.
        guard endpoint != nil || scope != nil else { return ownSettings }
        let own = ownSettings.withoutSecrets(of: url ?? baseURL, for: endpoint?.server)
        let service = scope?.settings.withoutSecrets(of: scope?.settings.baseURL?.url, for: endpoint?.server ?? url)
        var settings = RequestSettings.resolved(
            endpoint: endpoint?.settings ?? RequestSettings(), service: service ?? RequestSettings(), class: own)
        if endpoint != nil { settings.acceptedStatusCodes = settings.acceptedStatusCodes ?? .successful }
        return settings
    }

    /// The settings of the class and the request object.
    private var ownSettings: RequestSettings {
        RequestSettings(
            baseURL: baseURL.map { BaseURL($0) }, headers: headers, session: session,
            interceptors: .adding(interceptors), retryPolicy: retryPolicy, hook: hook, decoder: decoder,
            encoder: encoder, acceptedStatusCodes: acceptedStatusCodes, acceptedContentTypes: acceptedContentTypes,
            timeoutInterval: timeoutInterval, resourceTimeout: resourceTimeout, maximumBodySize: maximumBodySize,
            redirectPolicy: redirectPolicy, priority: priority, cachePolicy: cachePolicy,
            asynchronousHeaders: asynchronousHeaders)
    }
}

extension RequestSettings {
    /// Whether bodies are decoded from JSON.
    var decodesJSON: Bool { decoder == nil || decoder is FastJSONDecoder || decoder is JSONDecoder }
}
