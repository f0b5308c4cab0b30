/// The runs of a request that ``APIBase/startRequest()`` has built.
///
/// Each run of its ``pipeline`` is one ``Call``: the request is prepared, passes the ``interceptors`` and is sent to
/// the stub or the transport. The response passes the interceptors in the opposite order, and the run ends with one
/// outcome. Operators then validate and decode the response. Nothing here refers to the request object, so that it can
/// be released earlier.
package final class RequestRunner: Sendable {
    typealias Progress = (upload: TransferProgress, download: TransferProgress?)

    /// The built and checked request, or the error that prevented it.
    let request: Result<TransportRequest, any Error>
    private let settings: Shared<RequestSettings>
    /// The interceptor that adds asynchronous header fields; `nil` if the settings have none.
    private let asynchronousHeaders: AsynchronousHeaders?
    /// The endpoint, which checks and changes the request before it is sent; `nil` for a leaf.
    private let endpoint: Shared<Endpoint<DataResponse>>?
    /// A response that replaces the transport's in tests.
    private let stub: Pipeline<DataResponse, any Error>?
    private let transport: any Transport
    /// The session of ``transport``, and the test network before it.
    private let sender: TransportIdentity
    /// The progress of both bodies. A download to a file has no `download` progress here, because it counts its own
    /// body.
    private let progress: Progress
    /// The head of the latest response, for the hook and a scheduled request; `nil` if nothing reads it.
    private let latest: LatestHead?
    /// Whether the hook receives the outcome of the run. Otherwise, it receives the outcome of the pipeline with all
    /// operators; see ``APIBase/reporting(_:as:)``.
    private let reportsOutcome: Bool
    /// Interceptors after all others.
    private let last: [any Interceptor]
    /// The scope in which interceptors start requests; `nil` if it is that of the task.
    private let scopeOfInterceptors: ServiceScope?

    /// - Parameters:
    ///   - request: The request that was built, or the failure to build it.
    ///   - api: The object that starts it.
    ///   - other: A transport for this request alone, which replaces the stub too.
    ///   - last: Interceptors after all others.
    init(
        _ request: Result<TransportRequest, any Error>, _ settings: Shared<RequestSettings>, of api: APIBase,
        over other: (any Transport)? = nil, last: [any Interceptor] = []
    ) {
        let endpoint = api.state.endpoint
        self.request = request
        self.settings = settings
        self.endpoint = endpoint
        self.last = last
        let scope = ServiceScope.current
        scopeOfInterceptors = scope?.differsForInterceptors == true ? scope?.ofInterceptors : nil
        asynchronousHeaders = settings.value.asynchronousHeaders.map { fields in
            AsynchronousHeaders(
                fields, headers: settings.value.headers,
                own: api.headers.merging(endpoint?.value.settings.headers ?? [:]),
                acceptsJSON: endpoint?.value.acceptsJSON == true && settings.value.decodesJSON)
        }
        stub = other == nil ? api.dataTaskPipeline : nil
        let session = settings.value.session ?? .platformDefault
        transport = other ?? TestedTransport.transport(over: session)
        sender = TransportIdentity(other ?? session, behind: other == nil ? TestedTransport.current : nil)
        progress = (api.uploadProgress, api.state.kind == .download ? nil : api.downloadProgress)
        // Access to `latest` creates the holder of the head; access to `latestIfCreated` does not.
        latest = api.state.isReported || settings.value.hook != nil ? api.latest : api.latestIfCreated
        reportsOutcome = !api.state.isReported
    }

    var pipeline: Pipeline<DataResponse, any Error> {
        let pipeline = Pipeline { () async throws(any Error) in try await self.run() }
        guard reportsOutcome, let hook = settings.value.hook else { return pipeline }
        return pipeline.reporting(to: hook, request: try? request.get().urlRequest, latest: latest)
    }

    /// Performs one run.
    private func run() async throws -> DataResponse {
        let interceptors = interceptors
        let call = Call(over: sender, signingUsers: interceptors.signingUsers)
        let progress = (upload: progress.upload.beginRun(), download: progress.download?.beginRun())
        latest?.begin()
        do {
            let hasInterceptors = !interceptors.isEmpty
            var prepared = try request.get()
            try await prepare(&prepared, for: call, progress, hasInterceptors: hasInterceptors)
            let sending = Sending(
                method: prepared.urlRequest.httpMethod, checksChanges: hasInterceptors, stub: stub,
                transport: transport, call: call, retry: RetryFacts.current)
            let response = try await pass(prepared, to: Next(sending.send).preceded(by: interceptors))
            // A transport fails if the task is cancelled, but an interceptor or a stub may still respond.
            if hasInterceptors || stub != nil, Task.isCancelled { throw ErrandError(.cancelled) }
            let finished = try await finish(response, to: prepared, progress)
            end(call, progress, .success(finished))
            return finished
        } catch {
            let failure = describing(error, attempts: call.attempts)
            end(call, progress, .failure(failure))
            throw failure
        }
    }

    /// The interceptors between the prepared request and its ``Sending``, the outermost first.
    private var interceptors: [any Interceptor] {
        var interceptors: [any Interceptor] = []
        if let hook = settings.value.hook {
            interceptors.append(HookInterceptor(hook: hook, reportsOutcome: false))
        }
        if let retryPolicy = settings.value.retryPolicy { interceptors.append(RetryInterceptor(retryPolicy)) }
        if let asynchronousHeaders { interceptors.append(asynchronousHeaders) }
        return (interceptors + settings.value.interceptors.interceptors + last).inOrder
    }

    /// Completes the request for the interceptors: adds the header fields of a stream's reader, creates a deferred
    /// body, and makes the checks and changes of the endpoint.
    ///
    /// - Parameter hasInterceptors: Whether there are interceptors, which may read the client certificate.
    private func prepare(
        _ prepared: inout TransportRequest, for call: Call, _ progress: Progress, hasInterceptors: Bool
    ) async throws {
        if prepared.streamsResponse, let fields = StreamReader.current?.fields {
            // Fields of the same name are joined into one.
            for field in fields { prepared.urlRequest.setHeaderField(field.name, fields[field.name]) }
        }
        prepared.call = call
        if hasInterceptors { prepared.clientCertificate = transport.clientCertificate }
        prepared.uploadProgress = progress.upload
        prepared.downloadProgress = progress.download
        if prepared.hasDeferredBody { prepared = try await prepared.withDeferredBody() }
        if let endpoint { prepared = try await endpoint.value.prepared(prepared) }
    }

    /// Sends the request through the interceptors. Requests that these send themselves, such as for a new token, belong
    /// neither to a pipeline's retry nor to the reader of a stream.
    ///
    /// Without either, it avoids a closure: Swift 6.3 runs the closure outside the caller's actor.
    private func pass(_ request: TransportRequest, to next: Next) async throws -> DataResponse {
        if let scopeOfInterceptors {
            return try await ServiceScope.$current.withValue(scopeOfInterceptors) {
                try await Self.outsideOfRuns { try await next(request) }
            }
        }
        guard RetryFacts.current != nil || StreamReader.current != nil else { return try await next(request) }
        return try await Self.outsideOfRuns { try await next(request) }
    }

    /// Runs work that belongs to no run, although it may be started in one.
    package static func outsideOfRuns<Value>(_ work: () async throws -> Value) async rethrows -> Value {
        try await RetryFacts.$current.withValue(nil) { try await StreamReader.$current.withValue(nil, operation: work) }
    }

    /// Returns the response with its decoder. Ends the progress: for a collected body immediately, for a streamed one
    /// at its end.
    private func finish(
        _ response: DataResponse, to request: TransportRequest, _ progress: Progress
    ) async throws -> DataResponse {
        var response = response
        // Most requests have no decoder. An assignment copies the contents of the response.
        if settings.value.decoder != nil || response.decoder != nil { response.decoder = settings.value.decoder }
        guard response.body.isStreamed else {
            progress.upload.end(afterReceiving: progress.download, response.data.count)
            return response
        }
        response = response.counted(in: progress.download).watched { reason, count in
            let received = if case .whole = reason { count } else { nil as Int? }
            progress.upload.end(afterReceiving: progress.download, received)
        }
        let preview = BodyPreview(response.body, maximumWait: request.urlRequest.timeoutInterval)
        StreamReader.current?.preview.withLock { $0 = preview }
        // The error of the validation shows the beginning of the body. An error response is usually small.
        let prefix = response.statusCode >= 300 ? try await preview.start() : Data()
        response.body = ResponseBody(prefix: prefix, reader: preview.reader)
        return response
    }

    /// Reports the outcome of a run, once. The progress of a streamed response ends later, with its body.
    private func end(_ call: Call, _ progress: Progress, _ outcome: Result<DataResponse, any Error>) {
        // No attempt may begin after the run, such as one that an interceptor shares with other requests.
        progress.upload.close()
        progress.download?.close()
        if case .failure = outcome { progress.upload.end(afterReceiving: progress.download, nil) }
        if let latest, let response = (try? outcome.get()) ?? call.latest { latest.end(response) }
        // A run whose task was cancelled says nothing about the server.
        if case .failure(let error) = outcome, error.isCancellation, Task.isCancelled { return }
        // A `retry(_:)` of the pipeline decides by these facts whether it sends the request again. After a success,
        // only an operator can have failed, such as one that checks whether a job is ready.
        RetryFacts.current?.note { facts in
            facts.isTransient =
                switch outcome {
                case .success(let response):
                    response.statusCode < 300 || ErrandError.transientStatusCodes.contains(response.statusCode)
                case .failure(let error): (error as? ErrandError)?.isTransient ?? true
                }
        }
    }

    /// Adds the known parts of the request to an error.
    private func describing(_ error: any Error, attempts: Int) -> any Error {
        guard let request = try? request.get() else { return error }
        if error.isCancellation {
            return ErrandError(transportFailure: error).with(request: request.urlRequest, attempts: attempts)
        }
        // An error that an interceptor throws itself lacks the attempts so far. `Sending` has already set those of an
        // unsupported request, which was not sent.
        guard let error = error as? ErrandError, error.code != .unsupportedByTransport else { return error }
        return error.naming(maximumBodySize: request.maximumBodySize)
            .with(request: request.urlRequest, attempts: attempts)
    }
}

/// The step after the interceptors: it checks what they have changed, counts the attempt, and calls the stub or the
/// transport.
///
/// It does not hold the interceptors. An interceptor that stores its `next`, such as a cache that refreshes in the
/// background, would otherwise retain itself.
struct Sending: Sendable {
    /// The method of the request before the interceptors.
    let method: String?
    /// Whether interceptors may have changed the request after the check.
    let checksChanges: Bool
    let stub: Pipeline<DataResponse, any Error>?
    let transport: any Transport
    let call: Call
    /// The pipeline's retry, to which each request with a method that is not idempotent is reported; `nil` without a
    /// retry.
    let retry: RetryFacts?

    /// Sends the request once.
    func send(_ request: TransportRequest) async throws -> DataResponse {
        do {
            if checksChanges { try checkChanges(of: request) }
            // A task that was already cancelled must not send anything.
            if Task.isCancelled { throw ErrandError(.cancelled) }
            try request.bodyStream?.claimForSending()
        } catch {
            throw ErrandError(transportFailure: error).with(request: request.urlRequest, attempts: call.attempts)
        }
        call.begin()
        let method = RequestMethod(rawValue: request.urlRequest.httpMethod ?? "GET")
        if !RequestMethod.idempotent.contains(method) { retry?.note { $0.isSafeToRepeat = false } }
        request.uploadProgress?.begin(total: request.bodySize)
        request.downloadProgress?.begin(total: nil)
        do {
            var response: DataResponse
            if let stub { response = try await stub.value } else { response = try await transport.send(request) }
            if response.body.isStreamed, !request.streamsResponse {
                response = try await response.collected(upTo: request.maximumBodySize)
            }
            response = response.responding(to: request.urlRequest, attempts: call.attempts)
            call.end(response)
            guard response.body.isStreamed else { return response }
            let count = call.attempts
            response.body = response.body.mapError { failure($0, of: request, attempts: count) }
            return response
        } catch {
            throw failure(error, of: request, attempts: call.attempts)
        }
    }

    /// Checks the request again, because interceptors may have changed it. The method must be the same, because an
    /// outer interceptor, such as a retry, decides by it what may be repeated.
    private func checkChanges(of request: TransportRequest) throws(ErrandError) {
        try RequestCheck.check(request.urlRequest, bodyStream: request.bodyStream)
        guard request.urlRequest.httpMethod == method else {
            let names = "\(method ?? "GET") to \(request.urlRequest.httpMethod ?? "GET")"
            throw ErrandError(.invalidMethod, reason: "an interceptor changed the method from \(names)")
        }
    }

    private func failure(_ error: any Error, of request: TransportRequest, attempts: Int) -> ErrandError {
        let failure = ErrandError(transportFailure: error).naming(maximumBodySize: request.maximumBodySize)
        let wasSent = failure.code != .unsupportedByTransport
        return failure.with(request: request.urlRequest, attempts: wasSent ? attempts : attempts - 1)
    }
}
