extension APIBase {
    /// Builds the `URLRequest` from the properties, or from the endpoint that is sent, and the settings that apply.
    func builtURLRequest() throws -> URLRequest {
        let settings = resolvedSettings()
        // A `BaseURL` from an invalid text has no URL.
        guard settings.value.baseURL == nil || settings.value.baseURL?.url != nil else {
            throw ErrandError(.invalidURL, reason: "the `baseURL` is not a valid URL")
        }
        let target = target(of: settings)
        var request = URLRequest(
            url: try (page?.target(of: target) ?? requestURL(base: target)).resolved(),
            cachePolicy: settings.value.cachePolicy ?? .useProtocolCachePolicy,
            timeoutInterval: settings.value.timeoutInterval ?? RequestSettings.defaultTimeoutInterval)
        let method = state.endpoint?.value.method ?? method
        // GET is the default. Setting a method takes time, because Foundation compares it with every method it knows.
        if method != .get { request.httpMethod = method.rawValue }
        for field in settings.value.headers {
            do { try RequestCheck.check(field: field) } catch { throw error.about("headers") }
        }
        request.allHTTPHeaderFields = settings.value.headers.joined
        // The body of an endpoint is encoded when the request is sent, outside the caller's actor.
        try add(
            state.endpoint?.value.body.encodedWhenSent() ?? body, method: method, encoder: settings.value.encoder,
            to: &request)
        if state.endpoint?.value.acceptsJSON == true, settings.value.decodesJSON {
            try add("Accept", "application/json", to: &request)
        }
        return request
    }

    /// Builds and checks the request in the form that a transport receives.
    func builtTransportRequest() throws -> TransportRequest {
        request = nil
        do {
            var urlRequest = try buildURLRequest()
            request = urlRequest
            let bodyStream = bodyStream(of: urlRequest)
            // This `request` must not keep a body alive that can be read only once.
            if bodyStream?.canBeReadAgain == false { request?.httpBodyStream = InputStream(data: Data()) }
            // Transports read the body, and not the stream of the `URLRequest`.
            if bodyStream != nil { urlRequest.httpBodyStream = nil }
            try RequestCheck.check(urlRequest, bodyStream: bodyStream)
            try bodyStream?.inspect()
            return transportRequest(urlRequest, bodyStream, resolvedSettings())
        } catch {
            throw describing(error)
        }
    }

    private func transportRequest(
        _ urlRequest: URLRequest, _ bodyStream: BodyStream?, _ settings: Shared<RequestSettings>
    ) -> TransportRequest {
        var request = TransportRequest(urlRequest)
        request.bodyStream = bodyStream
        request.streamsResponse = state.kind != .response
        request.redirectPolicy = settings.value.redirectPolicy ?? .follow
        request.maximumBodySize = settings.value.maximumBodySize ?? Self.defaultMaximumBodySize
        request.resourceTimeout = settings.value.resourceTimeout
        request.priority = settings.value.priority ?? .normal
        request.acceptedStatusCodes = settings.value.acceptedStatusCodes
        return request
    }

    /// The URL without the path: the endpoint's own, else ``url``, else the base URL that applies.
    private func target(of settings: Shared<RequestSettings>) -> URL? {
        let base = state.endpoint?.value.server ?? url ?? settings.value.baseURL?.url
        return state.kind == .webSocket ? base?.withHTTPScheme : base
    }

    private var page: PagePosition? { state.endpoint?.value.pagePosition ?? pagePosition }

    /// The URL of the request if no link names its page.
    private func requestURL(base: URL?) -> RequestURL {
        let endpoint = state.endpoint
        let query = endpoint.map { $0.value.query.following(ownQuery(for: $0.value.server)) } ?? self.query
        var target = RequestURL(base: base, path: endpoint?.value.path ?? path, query: query)
        if (endpoint?.value.url ?? url) != nil { target.baseName = "url" }
        guard let page else { return target }
        target.base = base.map(page.base(replacing:))
        target.query = page.query(replacing: target.query)
        return target
    }

    /// The query of the class, for an endpoint. Another server does not receive it, because it may have secrets.
    private func ownQuery(for server: URL?) -> URLQuery {
        guard let server, let own = baseURL, !own.hasOrigin(of: server) else { return query }
        return URLQuery()
    }

    private func add(
        _ body: RequestBody, method: RequestMethod, encoder: (any DataEncoder)?, to request: inout URLRequest
    ) throws {
        try body.check(method: method)
        switch try body.contentWhenBuilt(isStarted: state.isStarting, encoder ?? FastJSONEncoder()) {
        case .none: return
        case .data(let data): request.httpBody = data
        case .stream(let stream): request.bodyStream = stream
        }
        do {
            try add("Content-Type", body.type?.description, to: &request)
            try add("Content-Encoding", body.contentEncoding, to: &request)
        } catch {
            throw error.about("body")
        }
    }

    /// Adds a header field, unless the request has a field of that name.
    private func add(_ name: String, _ value: String?, to request: inout URLRequest) throws(ErrandError) {
        guard let value, request.value(forHTTPHeaderField: name) == nil else { return }
        try RequestCheck.check(field: HeaderFields.Field(name, value))
        request.setValue(value, forHTTPHeaderField: name)
    }

    /// The stream of ``body``, or the one with which an override of ``buildURLRequest()`` replaced it.
    private func bodyStream(of request: URLRequest) -> BodyStream? {
        if let body = request.bodyStream { return body }
        guard let stream = request.httpBodyStream else { return nil }
        if let given = streamFromHook, given.stream === stream { return given.body }
        // Safe: the override that built the request no longer uses the stream, and only the body reads it.
        nonisolated(unsafe) let handedOver = stream
        let body = BodyStream(handedOver)
        streamFromHook = (stream, body)
        return body
    }

    /// Adds the known parts of the request to an error that occurred before the request was sent.
    func describing(_ error: any Error) -> any Error {
        guard var error = error as? ErrandError else { return error }
        let method = state.endpoint?.value.method ?? method
        if error.method == nil, method.rawValue.isHTTPToken { error.method = method }
        if error.url == nil {
            let attempted = requestURL(base: target(of: resolvedSettings())).attempted
            error.url = (request?.url ?? attempted ?? url).map { $0.isPathOnly ? $0 : $0.redacted }
        }
        return error
    }
}

extension URL {
    /// Whether this is only a path, as of a request without a base URL.
    fileprivate var isPathOnly: Bool { scheme == nil && host() == nil && query() == nil && fragment() == nil }
}

extension APIBase: CustomStringConvertible, CustomReflectable {
    /// The type, the method and the URL without secrets: `UsersRequest: GET https://api.example.com/users?page=***`.
    public var description: String {
        let target = target(of: resolvedSettings())
        let requested = try? (page?.target(of: target) ?? requestURL(base: target)).resolved()
        return "\(type(of: self)): \(method) \((requested ?? target)?.redacted.absoluteString ?? "no URL")"
    }

    /// The description alone, so that `dump` shows no secret.
    public var customMirror: Mirror { Mirror(self, children: ["description": description]) }
}

/// What an ``APIBase`` knows only while it starts a request.
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

    /// Starts a request, and reports the outcome of the pipeline that `start` returns to the hook, once for each run.
    /// Calls within `start` do not report again.
    func reporting<Output: Sendable, Failure>(
        _ start: () -> Pipeline<Output, Failure>, as value: @escaping @Sendable (Output) -> any Sendable = { $0 }
    ) -> Pipeline<Output, Failure> {
        guard !state.isReported else { return start() }
        (state.isReported, state.hook) = (true, nil)
        defer { state.isReported = false }
        // Requests that the object started before have their own head.
        readHead = LatestHead()
        let pipeline = start()
        // `startRequest()` has set it.
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
        let endpoint = state.endpoint?.value
        let scope = ServiceScope.current.flatMap { $0.includes(self) ? $0 : nil }
        // Most requests have only their own settings.
        guard endpoint != nil || scope != nil else { return ownSettings }
        let own = endpoint == nil ? ownSettings : ownSettings.withoutSecrets(for: endpoint?.server)
        let service = scope?.settings.withoutSecrets(for: endpoint?.server ?? url) ?? RequestSettings()
        var settings = RequestSettings.resolved(
            endpoint: endpoint?.settings ?? RequestSettings(), service: service, class: own)
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
