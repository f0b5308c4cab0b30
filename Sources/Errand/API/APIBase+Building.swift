extension APIBase {
    /// Builds the `URLRequest` from the properties and the settings that apply.
    func buildURLRequest(with settings: Settings) throws -> URLRequest {
        let base = target(of: settings)
        let target = try pagePosition?.target(of: base) ?? requestURL(base: base)
        var request = URLRequest(
            url: try target.resolved(), cachePolicy: settings.cachePolicy ?? .useProtocolCachePolicy,
            timeoutInterval: settings.timeoutInterval ?? Settings.defaultTimeoutInterval)
        // Foundation compares a method that is set with every method it knows.
        if method != .get { request.httpMethod = method.rawValue }
        request.allHTTPHeaderFields = try fields(settings.headers)
        try addBody(to: &request, encoder: settings.encoder)
        return request
    }

    /// Builds the `URLRequest` with its body at this time.
    func buildURLRequest(withBody timing: RequestBody.Timing) throws -> URLRequest {
        let previous = bodyTiming
        defer { bodyTiming = previous }
        bodyTiming = timing
        return try buildURLRequest()
    }

    /// Creates the runner of the request that is built now, or of the failure to build it.
    ///
    /// - Parameter failure: The reason why the settings are not valid; `nil` if they are valid.
    func runner(with settings: Settings, failure: (any Error)? = nil) -> RequestRunner {
        RequestRunner(
            failure.map { .failure($0) }
                ?? Result { try buildTransportRequest(settings) },
            interceptors: settings.chain(own: headers), stub: dataTaskPipeline,
            transport: TestedTransport.transport(over: settings.session ?? session), decoder: settings.decoder,
            progress: (uploadProgress, kind == .download ? nil : downloadProgress), preparation: preparation)
    }

    /// Builds and checks the request in the form that a transport receives.
    func buildTransportRequest(_ settings: Settings) throws -> TransportRequest {
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
            return transportRequest(urlRequest, bodyStream, settings)
        } catch {
            throw describing(error)
        }
    }

    private func transportRequest(
        _ urlRequest: URLRequest, _ bodyStream: BodyStream?, _ settings: Settings
    ) -> TransportRequest {
        var request = TransportRequest(urlRequest)
        request.bodyStream = bodyStream
        request.streamsResponse = kind != .response
        request.redirectPolicy = settings.redirectPolicy ?? .follow
        request.maximumBodySize = settings.maximumBodySize ?? Self.defaultMaximumBodySize
        request.resourceTimeout = settings.resourceTimeout
        request.priority = settings.priority ?? .normal
        return request
    }

    /// The URL without the path: the request's own, or the base URL of the service or the class.
    private func target(of settings: Settings) -> URL? {
        let base = url ?? settings.baseURL
        return kind == .webSocket ? base?.withHTTPScheme : base
    }

    /// The URL of the request if no link names its page.
    private func requestURL(base: URL?) -> RequestURL {
        let path = url == nil ? path : ""
        let baseName = url == nil ? "baseURL" : "url"
        guard let pagePosition else { return RequestURL(base: base, path: path, query: query, baseName: baseName) }
        return RequestURL(
            base: base.map(pagePosition.base(replacing:)), path: path, query: pagePosition.query(replacing: query),
            baseName: baseName)
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

    private func addBody(to request: inout URLRequest, encoder: (any DataEncoder)?) throws {
        let body = body
        try body.check(method: method)
        switch try body.contentWhenBuilt(bodyTiming, defaultEncoder: encoder ?? FastJSONEncoder()) {
        case .none: return
        case .data(let data): request.httpBody = data
        case .stream(let stream): request.bodyStream = stream
        }
        try add("Content-Type", body.type?.description, to: &request)
        try add("Content-Encoding", body.contentEncoding, to: &request)
    }

    /// Adds a header field of the body, unless the request has a field of that name.
    private func add(_ name: String, _ value: String?, to request: inout URLRequest) throws {
        guard let value, request.value(forHTTPHeaderField: name) == nil else { return }
        do { try RequestCheck.check(field: HeaderFields.Field(name, value)) } catch { throw error.about(body.property) }
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
        if error.method == nil, method.rawValue.isHTTPToken { error.method = method }
        if error.url == nil {
            let settings = try? resolvedSettings()
            let attempted = requestURL(base: settings.flatMap { target(of: $0) }).attempted
            // A path without a base URL has neither a host nor a query.
            error.url = (request?.url ?? attempted ?? url).map { $0.scheme == nil ? $0 : $0.redacted }
        }
        return error
    }
}

extension APIBase: CustomStringConvertible, CustomReflectable {
    /// The type, the method and the URL without secrets: `UsersRequest: GET https://api.example.com/users?page=***`.
    public var description: String {
        let target = (try? resolvedSettings()).map { self.target(of: $0) } ?? baseURL
        let requested = try? (pagePosition?.target(of: target) ?? requestURL(base: target)).resolved()
        return "\(type(of: self)): \(method) \((requested ?? target)?.redacted.absoluteString ?? "no URL")"
    }

    /// The description alone, so that `dump` shows no secret.
    public var customMirror: Mirror { Mirror(self, children: ["description": description]) }
}
