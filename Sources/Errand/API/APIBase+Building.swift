extension APIBase {
    /// Builds the `URLRequest` from the properties, or from the endpoint that is sent, and the settings that apply.
    func builtURLRequest() throws -> URLRequest {
        let settings = resolvedSettings()
        guard settings.value.baseURL == nil || settings.value.baseURL?.url != nil else {
            throw ErrandError(.invalidURL, reason: "the `baseURL` is not a valid URL")
        }
        let target = target(of: settings)
        var request = URLRequest(
            url: try (page?.target(of: target) ?? requestURL(base: target)).resolved(),
            cachePolicy: settings.value.cachePolicy ?? .useProtocolCachePolicy,
            timeoutInterval: settings.value.timeoutInterval ?? RequestSettings.defaultTimeoutInterval)
        let method = state.endpoint?.value.method ?? method
        // Foundation compares a method that is set with every method it knows.
        if method != .get { request.httpMethod = method.rawValue }
        request.allHTTPHeaderFields = try fields(settings.value.headers)
        try add(
            state.endpoint?.value.body.encodedWhenSent() ?? body, method: method, encoder: settings.value.encoder,
            to: &request)
        if state.endpoint?.value.acceptsJSON == true, settings.value.decodesJSON {
            try add("Accept", "application/json", to: &request)
        }
        return request
    }

    /// Builds the `URLRequest` with its body at this time.
    private func buildURLRequest(withBody timing: RequestBody.Timing) throws -> URLRequest {
        let previous = state.bodyTiming
        defer { state.bodyTiming = previous }
        state.bodyTiming = timing
        return try buildURLRequest()
    }

    /// Creates the runner of a request that was built, or of the failure to build it.
    func runner(of built: Result<TransportRequest, any Error>, with settings: Shared<RequestSettings>) -> RequestRunner
    {
        RequestRunner(
            built, settings: settings, ownFields: settings.value.asynchronousHeaders == nil ? [:] : ownFields,
            endpoint: state.endpoint, stub: dataTaskPipeline,
            transport: TestedTransport.transport(over: settings.value.session ?? .platformDefault),
            progress: (uploadProgress, state.kind == .download ? nil : downloadProgress),
            latest: state.isReported || settings.value.hook != nil ? latest : readHead,
            reportsOutcome: !state.isReported)
    }

    /// The header fields of the request itself, which asynchronous fields do not replace.
    var ownFields: HeaderFields {
        guard let endpoint = state.endpoint?.value else { return headers }
        return headers.merging(endpoint.settings.headers).merging(endpoint.headers)
    }

    /// Builds and checks the request in the form that a transport receives.
    func builtTransportRequest() throws -> TransportRequest {
        request = nil
        do {
            var urlRequest = try buildURLRequest(withBody: .unlessLong)
            request = urlRequest
            let bodyStream = bodyStream(of: urlRequest)
            // The pipeline releases a body that can be read only once after it ends, and this object must not keep it
            // either.
            if bodyStream?.canBeReadAgain == false { request?.httpBodyStream = InputStream(data: Data()) }
            // The marker stands for the body in a `URLRequest`; transports read the body itself.
            if urlRequest.bodyStream != nil { urlRequest.bodyStream = nil }
            guard urlRequest.httpBody == nil || bodyStream == nil else {
                throw ErrandError(.bodyCountMismatch, reason: "the request has both a body and a body stream")
            }
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

    /// The URL without the path: the request's own, or the base URL that applies.
    private func target(of settings: Shared<RequestSettings>) -> URL? {
        let base =
            state.endpoint.map { $0.value.server ?? url ?? settings.value.baseURL?.url } ?? url
            ?? settings.value.baseURL?.url
        return state.kind == .webSocket ? base?.withHTTPScheme : base
    }

    private var page: PagePosition? { state.endpoint?.value.pagePosition ?? pagePosition }

    /// The URL of the request if no link names its page.
    private func requestURL(base: URL?) -> RequestURL {
        let endpoint = state.endpoint
        let query = endpoint.map { $0.value.query.following(self.query) } ?? self.query
        var target = RequestURL(base: base, path: endpoint?.value.path ?? path, query: query)
        if (endpoint?.value.url ?? url) != nil { target.baseName = "url" }
        guard let page else { return target }
        target.base = base.map(page.base(replacing:))
        target.query = page.query(replacing: target.query)
        return target
    }

    /// Converts the fields to Foundation's form: repeated fields become one list, and cookies follow RFC 6265.
    private func fields(_ headers: HeaderFields) throws -> [String: String] {
        var fields: [String: String] = [:]
        for field in headers {
            do { try RequestCheck.check(field: field) } catch { throw error.about("headers") }
            guard let name = fields.keys.first(where: { $0.equalsIgnoringASCIICase(field.name) }) else {
                fields[field.name] = field.value
                continue
            }
            fields[name, default: ""] += (name.equalsIgnoringASCIICase("Cookie") ? "; " : ", ") + field.value
        }
        return fields
    }

    private func add(
        _ body: RequestBody, method: RequestMethod, encoder: (any DataEncoder)?, to request: inout URLRequest
    ) throws {
        try body.check(method: method)
        switch try body.contentWhenBuilt(state.bodyTiming, defaultEncoder: encoder ?? FastJSONEncoder()) {
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

    /// Adds the known parts of the request to an error that occurred before the request was built.
    func describing(_ error: any Error) -> any Error {
        guard var error = error as? ErrandError else { return error }
        let method = state.endpoint?.value.method ?? method
        if error.method == nil, method.rawValue.isHTTPToken { error.method = method }
        if error.url == nil {
            let attempted = requestURL(base: target(of: resolvedSettings())).attempted
            // A path without a base URL has neither a host nor a query.
            error.url = (request?.url ?? attempted ?? url).map { $0.scheme == nil ? $0 : $0.redacted }
        }
        return error
    }
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
