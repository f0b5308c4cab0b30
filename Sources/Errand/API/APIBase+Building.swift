// Builds a request from the properties of the object, which an override may compute. The ``Start`` has what belongs to
// one start: the kind of exchange, and an endpoint in place of the properties.

extension APIBase {
    /// Builds the `URLRequest` from the properties, or from the endpoint that is sent, and the settings that apply.
    func builtURLRequest() throws -> URLRequest {
        let (start, settings) = (currentStart, resolvedSettings())
        // A `BaseURL` from an invalid text has no URL.
        if let baseURL = settings.values.baseURL, baseURL.url == nil {
            throw ErrandError(.invalidURL, reason: "the `baseURL` is not a valid URL")
        }
        let target = try target(of: start, base: base(of: start, settings))
        if !target.isComplete { called?.target = (target.base, target.path) }
        var request = URLRequest(
            url: try target.resolved(),
            cachePolicy: settings.values.cachePolicy ?? .useProtocolCachePolicy,
            timeoutInterval: settings.values.timeoutInterval ?? RequestSettings.defaultTimeoutInterval)
        let method = method(of: start)
        // GET is the default. Setting a method takes time, because Foundation compares it with every method it knows.
        if method != .get { request.httpMethod = method.rawValue }
        // `URLRequest` would drop some invalid fields without an error.
        do { try RequestCheck.check(fields: settings.values.headers) } catch { throw error.about("headers") }
        request.allHTTPHeaderFields = settings.values.headers.joined
        // The body of an endpoint is encoded when the request is sent, outside the caller's actor.
        try add(
            start.endpoint?.value.body.encodedWhenSent() ?? body, method: method, encoder: settings.values.encoder,
            to: &request)
        if start.endpoint?.value.acceptsJSON == true, settings.values.decodesJSON {
            try add("Accept", "application/json", to: &request)
        }
        return request
    }

    /// Builds and checks the request in the form that a transport receives.
    func builtTransportRequest() throws -> TransportRequest {
        let start = currentStart
        (request, called) = (nil, CalledOperation(type: operationType(of: start)))
        do {
            try start.service?.value.check(self, server: start.endpoint?.value.server)
            var urlRequest = try buildURLRequest()
            request = urlRequest
            let bodyStream = bodyStream(of: urlRequest)
            // The property `request` must not keep a body alive that can be read only once. The empty stream shows that
            // there is one.
            if bodyStream?.canBeReadAgain == false { request?.httpBodyStream = InputStream(data: Data()) }
            // Transports read the body, and not the stream of the `URLRequest`.
            if bodyStream != nil { urlRequest.httpBodyStream = nil }
            try RequestCheck.check(urlRequest, bodyStream: bodyStream)
            try bodyStream?.checkUnopened()
            return transportRequest(urlRequest, bodyStream, start.kind, resolvedSettings())
        } catch {
            throw describing(error)
        }
    }

    private func transportRequest(
        _ urlRequest: URLRequest, _ bodyStream: BodyStream?, _ kind: Start.Kind, _ settings: ResolvedSettings
    ) -> TransportRequest {
        var request = TransportRequest(urlRequest)
        request.bodyStream = bodyStream
        request.streamsResponse = kind != .response
        request.opensWebSocket = kind == .webSocket
        request.rules = settings.values.rules(for: kind)
        request.redirectPolicy = settings.values.redirectPolicy ?? .follow
        request.maximumBodySize = settings.values.maximumBodySize ?? Self.defaultMaximumBodySize
        request.resourceTimeout = settings.values.resourceTimeout
        request.priority = settings.values.priority ?? .normal
        return request
    }

    /// The method of the endpoint, or else that of the class.
    private func method(of start: Start) -> RequestMethod { start.endpoint?.value.method ?? method }

    /// The URL without the path: the endpoint's own, else ``url``, else the base URL that applies.
    private func base(of start: Start, _ settings: ResolvedSettings) -> URL? {
        let base = start.endpoint?.value.server ?? url ?? settings.values.baseURL?.url
        return start.kind == .webSocket ? base?.withHTTPScheme : base
    }

    /// The page to request.
    private func page(of start: Start) -> PagePosition? { start.endpoint?.value.pagePosition ?? pagePosition }

    /// The parts of the request's URL: the link that names its page, or else the composed ones.
    private func target(of start: Start, base: URL?) throws -> RequestURL {
        try page(of: start)?.linkTarget(base: base) ?? composedURL(of: start, base: base)
    }

    /// The type that names the operation: the leaf's, or that of the struct request.
    private func operationType(of start: Start) -> Any.Type? {
        if let endpoint = start.endpoint?.value { return endpoint.requestType }
        return type(of: self) == APIBase.self ? nil : type(of: self)
    }

    /// The URL of the request from base, path, query and page, if no link names its page.
    private func composedURL(of start: Start, base: URL?) -> RequestURL {
        let endpoint = start.endpoint?.value
        let query = endpoint.map { $0.query.following(classQuery(for: $0.server)) } ?? self.query
        var target = RequestURL(base: base, path: endpoint?.path ?? path, query: query)
        // An error names the property that the base is from: `baseURL`, or `url` of the endpoint or the class.
        let isFromURL = endpoint?.server == nil ? url != nil : endpoint?.url != nil
        if isFromURL { target.baseName = "url" }
        guard let page = page(of: start) else { return target }
        target.base = base.map(page.base(replacing:))
        target.query = page.query(replacing: target.query)
        return target
    }

    /// The query of the class for an endpoint; empty if `server`, which the endpoint names, is not that of the class,
    /// because the query may have secrets.
    private func classQuery(for server: URL?) -> URLQuery {
        guard let server, let classURL = url ?? baseURL, !classURL.hasOrigin(of: server) else { return query }
        return URLQuery()
    }

    private func add(
        _ body: RequestBody, method: RequestMethod, encoder: (any DataEncoder)?, to request: inout URLRequest
    ) throws {
        try body.check(method: method)
        // Most requests have no body, and need no encoder.
        if body.isEmpty { return }
        // A long body of a started request is encoded when it is sent.
        switch try body.contentWhenBuilt(isStarted: isBuilding, encoder ?? FastJSONEncoder()) {
        case .none: return
        case .data(let data): request.httpBody = data
        // Sets `httpBodyStream` to an empty stream that refers to this one.
        case .stream(let stream): request.bodyStream = stream
        }
        do {
            let own = request.value(forHTTPHeaderField: "Content-Type")
            let type = try body.contentType(replacedBy: own)
            if own != type { request.setHeaderField("Content-Type", nil) }
            try add("Content-Type", type, to: &request)
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
        // An override may set the same stream for several starts. It must stay one body, which is sent only once.
        if let given = streamFromOverride, given.stream === stream { return given.body }
        // Safe: the override that built the request no longer uses the stream, and only the body reads it.
        nonisolated(unsafe) let handedOver = stream
        let body = BodyStream(handedOver)
        streamFromOverride = (stream, body)
        return body
    }

    /// Adds the known parts of the request to an error that occurred before the request was sent.
    func describing(_ error: any Error) -> any Error {
        guard var error = error as? ErrandError else { return error }
        let start = currentStart
        let method = method(of: start)
        if error.method == nil, method.rawValue.isHTTPToken { error.method = method }
        if error.url == nil {
            let attempted = composedURL(of: start, base: base(of: start, resolvedSettings())).attempted
            error.url = request?.url ?? attempted ?? url
        }
        return error
    }
}

extension RequestSettings {
    /// The rules for the response to a kind of request.
    fileprivate func rules(for kind: Start.Kind) -> ResponseRules {
        var rules = ResponseRules(statusCodes: acceptedStatusCodes, contentTypes: acceptedContentTypes)
        switch kind {
        case .response, .stream: break
        // A resumed download receives the rest of its file with status 206. `DownloadRun` begins anew after 416.
        case .download: if rules.statusCodes?.contains(200) == true { rules.statusCodes?.insert(206) }
        case .webSocket: rules = ResponseRules(statusCodes: [101])
        }
        return rules
    }
}

// The description is not a member of the class, so that a leaf can have a property of this name.
extension CustomStringConvertible where Self: APIBase {
    /// The type, the method and the URL without secrets: `UsersRequest: GET https://api.example.com/users?page=***`.
    public var description: String { shortText }
}

extension APIBase: CustomStringConvertible, CustomReflectable {
    fileprivate var shortText: String {
        let start = currentStart
        let base = base(of: start, resolvedSettings())
        let url = (try? target(of: start, base: base).resolved()) ?? base
        return "\(type(of: self)): \(method(of: start)) \(url?.redacted.absoluteString ?? "no URL")"
    }

    /// The description alone, so that `dump` shows no secret.
    public var customMirror: Mirror { Mirror(self, children: ["description": shortText]) }
}
