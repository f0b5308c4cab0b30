/// The path of a request through the interceptors to the stub or the transport, and back.
///
/// ``APIBase/startRequest()`` builds and checks the request, and creates a runner from it. Operators validate and
/// decode the result of its ``pipeline``. Each run of that pipeline has four steps:
///
/// 1. It begins a ``RequestRun``, with its attempts, progress and observers.
/// 2. It prepares the request: an endpoint's checks and changes, the header fields of a stream's reader, and
///    a body that is created late.
/// 3. It sends the request through the interceptors, in the order of ``RequestSettings/chain(own:)``: the hook, the
///    retry policy, the asynchronous header fields, those of the class, the endpoint and the service. Each time the
///    request reaches the end of this list, an ``Exchange`` sends it once, to the stub or the transport.
/// 4. It finishes the response: a collected body is complete, a streamed one is counted while it is read.
///
/// The run then ends with one outcome. Nothing here refers to the request object, so that it can be released earlier.
final class RequestRunner: Sendable {
    /// The progress of both bodies. A download to a file has no `download` progress here, because it counts its own
    /// body.
    typealias Progress = (upload: TransferProgress, download: TransferProgress?)

    /// The built and checked request, or the error that prevented it.
    private let request: Result<TransportRequest, any Error>
    /// The interceptors, the outermost first.
    private let interceptors: [any Interceptor]
    /// A response that replaces the transport's in tests.
    private let stub: Pipeline<DataResponse, any Error>?
    private let transport: any Transport
    /// The decoder that `decode(_:)` uses for the response; `nil` for JSON without settings.
    private let decoder: (any DataDecoder)?
    private let progress: Progress
    /// The endpoint, whose checks and changes run before the request is sent; `nil` for a leaf.
    private let endpoint: Endpoint<DataResponse>?
    /// The retry that was running when this object was created; `nil` without one. Each of its attempts creates its own
    /// request.
    private let creationScope = RetryScope.current

    init(
        _ request: Result<TransportRequest, any Error>, interceptors: [any Interceptor],
        stub: Pipeline<DataResponse, any Error>?, transport: any Transport, decoder: (any DataDecoder)?,
        progress: Progress, endpoint: Endpoint<DataResponse>?
    ) {
        self.request = request
        self.interceptors = interceptors
        self.stub = stub
        self.transport = transport
        self.decoder = decoder
        self.progress = progress
        self.endpoint = endpoint
    }

    var pipeline: Pipeline<DataResponse, any Error> {
        Pipeline { () async throws(any Error) in try await self.run() }
    }

    /// Performs the steps of one run.
    private func run() async throws -> DataResponse {
        let run = RequestRun(of: self, try? request.get(), progress: progress, createdIn: creationScope)
        do {
            let prepared = try await prepare(for: run)
            let response = try await send(prepared, in: run)
            let finished = try await finish(response, to: prepared, in: run)
            run.end(.success(finished))
            return finished
        } catch {
            let failure = describing(error, attempts: run.attempts.count)
            run.end(.failure(failure))
            throw failure
        }
    }

    /// Returns the request as the interceptors receive it.
    private func prepare(for run: RequestRun) async throws -> TransportRequest {
        try await endpoint?.check()
        var prepared = try request.get()
        for field in run.reader?.fields ?? [:] {
            prepared.urlRequest.setHeaderField(field.name, run.reader?.fields[field.name])
        }
        prepared.attempts = run.attempts
        if !interceptors.isEmpty { prepared.identify(transport) }
        prepared.uploadProgress = run.progress.upload
        prepared.downloadProgress = run.progress.download
        if prepared.hasDeferredBody { prepared = try await prepared.withDeferredBody() }
        guard let endpoint else { return prepared }
        return try await endpoint.prepared(prepared)
    }

    /// Sends the request through the interceptors to the stub or the transport.
    private func send(_ request: TransportRequest, in run: RequestRun) async throws -> DataResponse {
        let exchange = Exchange(
            method: request.urlRequest.httpMethod, stub: stub, transport: transport, attempts: run.attempts,
            retry: run.retry, checksChanges: !interceptors.isEmpty)
        let response = try await run.pass(request, to: Next(exchange.send).preceded(by: interceptors))
        if !interceptors.isEmpty, Task.isCancelled { throw ErrandError(.cancelled) }
        return response
    }

    /// Ends the progress of a collected response immediately, and that of a streamed one at the end of its body.
    private func finish(
        _ response: DataResponse, to request: TransportRequest, in run: RequestRun
    ) async throws -> DataResponse {
        let progress = run.progress
        var response = response
        response.decoder = decoder
        if response.body.isStreamed, !request.streamsResponse {
            response = try await response.collected(upTo: request.maximumBodySize)
        }
        guard response.body.isStreamed else {
            progress.end(received: response.data.count)
            return response
        }
        response = response.counted(in: request.downloadProgress).watched { reason, count in
            if case .whole = reason { progress.end(received: count) } else { progress.end(received: nil) }
        }
        let preview = BodyPreview(response.body, maximumWait: request.urlRequest.timeoutInterval)
        run.reader?.preview.withLock { $0 = preview }
        // An error response is small, and the validation error shows the beginning of its body.
        let prefix = response.statusCode >= 300 ? try await preview.start() : Data()
        response.body = ResponseBody(prefix: prefix, reader: preview.reader)
        return response
    }

    /// Adds the known parts of the request to an error.
    private func describing(_ error: any Error, attempts: Int) -> any Error {
        guard let request = try? request.get() else { return error }
        if error.isCancellation {
            return ErrandError(transportFailure: error).with(request: request.urlRequest, attempts: attempts)
        }
        // An interceptor's own error does not include the attempts before it.
        guard let error = error as? ErrandError, error.code != .unsupportedByTransport else { return error }
        return error.naming(maximumBodySize: request.maximumBodySize)
            .with(request: request.urlRequest, attempts: attempts)
    }
}

extension RequestSettings {
    /// Returns all interceptors through which a request passes, the outermost first.
    ///
    /// - Parameter own: The header fields of the request itself. Asynchronous fields do not replace them.
    func chain(own: @autoclosure () -> HeaderFields) -> [any Interceptor] {
        guard hook != nil || retryPolicy != nil || asynchronousHeaders != nil else {
            return interceptors.interceptors
        }
        var chain: [any Interceptor] = []
        if let hook { chain.append(HookInterceptor(hook)) }
        if let retryPolicy { chain.append(RetryInterceptor(retryPolicy)) }
        if let asynchronousHeaders {
            chain.append(AsynchronousHeaders(replacing: headers, keeping: own(), fields: asynchronousHeaders))
        }
        return chain + interceptors.interceptors
    }
}
