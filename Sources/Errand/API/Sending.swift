/// The path of a request through the interceptors to the stub or the transport, and back.
///
/// ``APIBase/startRequest()`` builds and checks the request, and creates a `Sending` from it. Operators validate and
/// decode the result of its ``pipeline``.
///
/// Each run of that pipeline is one ``run()``. The request passes through one list: the hook, the retry policy, the
/// asynchronous header fields, and the API's other interceptors. Each time it reaches the end of the list, an
/// `Exchange` sends it once. Nothing here refers to the request object, so that it can be released earlier.
final class Sending: Sendable {
    /// The progress of both bodies. A download has no second one, because it counts its own body.
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
    /// The steps that run before the request is sent.
    private let preparation: RequestPreparation?
    /// The retry of a pipeline in which this object was created, and whose attempts each create their own request.
    private let home = RetryScope.current

    init(
        _ request: Result<TransportRequest, any Error>, interceptors: [any Interceptor],
        stub: Pipeline<DataResponse, any Error>?, transport: any Transport, decoder: (any DataDecoder)?,
        progress: Progress, preparation: RequestPreparation?
    ) {
        self.request = request
        self.interceptors = interceptors
        self.stub = stub
        self.transport = transport
        self.decoder = decoder
        self.progress = progress
        self.preparation = preparation
    }

    var pipeline: Pipeline<DataResponse, any Error> {
        Pipeline { () async throws(any Error) in try await self.run() }
    }

    /// Runs all interceptors with their attempts, and reports one outcome to all observers.
    private func run() async throws -> DataResponse {
        let retry = RetryScope.current
        let scope = retry == nil ? nil : RetryScope.outermost(inside: home)
        let attempts = scope?.value(of: self) { Attempts() } ?? Attempts()
        let observer = HeadObserver.current
        let underWay = RequestsUnderWay.current
        underWay?.begin((try? request.get())?.urlRequest) { attempts.count }
        defer { underWay?.end() }
        let progress = RunProgress(progress, of: self, in: scope)
        defer { progress.close() }
        do {
            try await preparation?.validate()
            var request = try request.get()
            // Requests that interceptors or operators send during a stream are collected. The fields of the stream are
            // not added to them.
            let reader = request.streamsResponse ? StreamReader.current : nil
            request = request.adding(reader?.fields)
            request.attempts = attempts
            if !interceptors.isEmpty { request.identify(transport) }
            request.uploadProgress = progress.upload
            request.downloadProgress = progress.download
            if case .deferred(let make)? = request.bodyStream?.origin {
                if Task.isCancelled { throw ErrandError(.cancelled) }
                request = try await request.with(body: make)
                try RequestCheck.check(request.urlRequest, bodyStream: request.bodyStream)
            }
            if let preparation { request = try await preparation.prepared(request) }
            let exchange = Exchange(
                method: request.urlRequest.httpMethod, stub: stub, transport: transport, attempts: attempts,
                retry: retry,
                checksChanges: !interceptors.isEmpty)
            let response = try await pass(request, to: Next(exchange.send).preceded(by: interceptors), observer, retry)
            if !interceptors.isEmpty, Task.isCancelled { throw ErrandError(.cancelled) }
            let finished = try await finish(response, of: request, reader, progress)
            retry?.requestEnded(.success(finished.statusCode))
            ProviderCall.requestEnded(.success(finished.statusCode))
            observer?.received(finished, isLast: retry == nil)
            return finished
        } catch {
            let failure = describing(error, attempts: attempts.count)
            progress.close()
            progress.end(received: nil)
            retry?.requestEnded(.failure(failure))
            ProviderCall.requestEnded(.failure(failure))
            observer?.failed(after: attempts.latest)
            throw failure
        }
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

    /// Sends the request through the interceptors. Requests that they send themselves, such as token refreshes, have no
    /// head observer. A pipeline's retry does not repeat them, and a time limit does not name them.
    ///
    /// Without observer, retry and limit, it avoids a closure: Swift 6.3 runs the closure outside the caller's actor.
    private func pass(
        _ request: TransportRequest, to next: Next, _ observer: HeadObserver?, _ retry: RetryScope?
    ) async throws -> DataResponse {
        guard observer != nil || retry != nil || RequestsUnderWay.current != nil else { return try await next(request) }
        let context = TaskContext.current.with(nil, as: HeadObserver.self).with(nil, as: RetryScope.self)
            .with(nil, as: RequestsUnderWay.self)
        return try await TaskContext.$current.withValue(context) { try await next(request) }
    }

    /// Ends the progress of a collected response immediately, and that of a streamed one at the end of its body.
    private func finish(
        _ response: DataResponse, of request: TransportRequest, _ reader: StreamReader?, _ progress: RunProgress
    ) async throws -> DataResponse {
        var response = response
        response.decoder = decoder
        guard response.body.isStreamed, request.streamsResponse else {
            response = try await response.collected(upTo: request.maximumBodySize)
            progress.end(received: response.data.count)
            return response
        }
        response = response.counted(in: request.downloadProgress).watched { reason, count in
            if case .whole = reason { progress.end(received: count) } else { progress.end(received: nil) }
        }
        let preview = BodyPreview(response.body, patience: request.urlRequest.timeoutInterval)
        reader?.preview.withLock { $0 = preview }
        // An error response is small, and the validation error shows the beginning of its body.
        let prefix = response.statusCode >= 300 ? try await preview.start() : Data()
        response.body = ResponseBody(prefix: prefix, reader: preview.reader)
        return response
    }
}

/// The last step of a request: it calls the stub or the transport, and counts the attempts.
///
/// It does not hold the interceptors. An interceptor that stores its `next`, such as a cache that refreshes in the
/// background, would otherwise retain itself.
private struct Exchange: Sendable {
    /// The method of the request when it was built.
    let method: String?
    let stub: Pipeline<DataResponse, any Error>?
    let transport: any Transport
    let attempts: Attempts
    /// The retry of a pipeline that must be informed about sent requests.
    let retry: RetryScope?
    /// Whether interceptors may have changed the request after the check.
    let checksChanges: Bool

    /// Sends the request once.
    func send(_ request: TransportRequest) async throws -> DataResponse {
        do {
            if checksChanges { try checkChanges(of: request) }
            // A task that was already cancelled must not send anything.
            if Task.isCancelled { throw ErrandError(.cancelled) }
            try request.bodyStream?.claimForSending()
        } catch {
            throw ErrandError(transportFailure: error).with(request: request.urlRequest, attempts: attempts.count)
        }
        attempts.begin()
        if let retry,
            !RequestMethod.idempotent.contains(RequestMethod(rawValue: request.urlRequest.httpMethod ?? "GET"))
        {
            retry.sendsUnrepeatable()
        }
        request.uploadProgress?.begin(total: request.bodySize)
        request.downloadProgress?.begin(total: nil)
        do {
            var response: DataResponse
            if let stub { response = try await stub.value } else { response = try await transport.send(request) }
            if !request.streamsResponse { response = try await response.collected(upTo: request.maximumBodySize) }
            response = response.answering(request.urlRequest, attempts: attempts.count)
            attempts.end(response)
            guard response.body.isStreamed else { return response }
            let count = attempts.count
            response.body = response.body.mapError { failure($0, of: request, attempts: count) }
            return response
        } catch {
            throw failure(error, of: request, attempts: attempts.count)
        }
    }

    /// Checks the request again, because interceptors may have changed it.
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

extension TransportRequest {
    /// Returns this request with a body that is created outside the caller's actor.
    @concurrent fileprivate func with(
        body make: @Sendable () throws -> RequestBody.Content
    ) async throws -> TransportRequest {
        var request = self
        switch try make() {
        case .none: request.bodyStream = nil
        case .data(let data): (request.urlRequest.httpBody, request.bodyStream) = (data, nil)
        case .stream(let stream): request.bodyStream = stream
        }
        return request
    }

    fileprivate func adding(_ fields: HeaderFields?) -> TransportRequest {
        guard let fields, !fields.isEmpty else { return self }
        var request = self
        for field in fields { request.urlRequest.setValue(fields[field.name], forHTTPHeaderField: field.name) }
        return request
    }
}
