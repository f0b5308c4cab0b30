/// What an ``APIBase`` knows only while it starts a request.
struct StartState {
    /// The kind of exchange.
    var kind = StartKind.response
    /// The endpoint that is sent in place of the object's own request; `nil` for a leaf.
    var endpoint: Shared<Endpoint<DataResponse>>?
    /// When the request that is being built contains its body.
    var bodyTiming = RequestBody.Timing.asDeclared
    /// Whether a request is being started, so that its settings are resolved only once.
    var isStarting = false
    /// The settings of the request that is being started; `nil` until they are resolved.
    var settings: Shared<RequestSettings>?
    /// Whether what starts the request converts its failures, and not ``APIBase/startRequest()``.
    var convertsLater = false
    /// Whether what starts the request reports its outcome to the hook, and not its run.
    var isReported = false
    /// The hook of the request that was started last.
    var hook: (any RequestHook)?
}

/// A large value that a start and its runs share, since copying it costs more than reading it.
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

    /// Starts a request whose outcome is reported to its hook once, whatever its output.
    func reporting<Output: Sendable, Failure>(
        _ start: () -> Pipeline<Output, Failure>, as value: @escaping @Sendable (Output) -> any Sendable = { $0 }
    ) -> Pipeline<Output, Failure> {
        guard !state.isReported else { return start() }
        (state.isReported, state.hook) = (true, nil)
        defer { state.isReported = false }
        let pipeline = start()
        guard let hook = state.hook else { return pipeline }
        return pipeline.reporting(to: hook, request: request, latest: latest, as: value)
    }

    /// Starts a request whose failures are converted by the caller, together with those of operators that an override
    /// of ``startRequest()`` adds.
    func convertingLater<Value>(_ start: () -> Value) -> Value {
        let previous = state.convertsLater
        state.convertsLater = true
        defer { state.convertsLater = previous }
        return start()
    }

    /// Starts the request as another kind of exchange than a collected response.
    func starting<Value>(as kind: StartKind, _ body: () throws -> Value) rethrows -> Value {
        let previous = state.kind
        state.kind = kind
        defer { state.kind = previous }
        return try body()
    }

    /// Starts an endpoint in place of the object's own request.
    func sending<Value>(_ endpoint: Endpoint<some Sendable>, _ body: () throws -> Value) rethrows -> Value {
        let previous = state.endpoint
        state.endpoint = Shared(endpoint.undecoded)
        defer { state.endpoint = previous }
        return try body()
    }

    /// The settings that apply to the request: those of the endpoint, the service in scope, and this object.
    func resolvedSettings() -> Shared<RequestSettings> {
        if let settings = state.settings { return settings }
        let settings = Shared(combinedSettings())
        if state.isStarting { state.settings = settings }
        return settings
    }

    private func combinedSettings() -> RequestSettings {
        let endpoint = state.endpoint?.value
        let scope = ServiceScope.current.flatMap { $0.includes(self) ? $0 : nil }
        // Most requests have only their own settings.
        guard endpoint != nil || scope != nil else { return ownSettings }
        let own = endpoint == nil ? ownSettings : ownSettings.withoutSecrets(for: endpoint?.server)
        let service = scope?.settings.withoutSecrets(for: endpoint?.server ?? url) ?? RequestSettings()
        var settings = RequestSettings.resolved(
            endpoint: endpoint?.allSettings ?? RequestSettings(), service: service, class: own)
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

extension Endpoint {
    /// The settings of the endpoint, with its header fields among them.
    fileprivate var allSettings: RequestSettings {
        var settings = settings
        settings.headers = settings.headers.merging(headers)
        return settings
    }
}
