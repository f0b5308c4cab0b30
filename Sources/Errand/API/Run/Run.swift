/// One run of a request, from its start to its outcome. The calls nest as the run does:
///
///     outcome()                      reports the head, ends the progress, and judges the response by the settings
///       exchanged()                  passes the request through the interceptors, for each attempt:
///         prepared()                   completes it: deferred body, changes of the endpoint
///         hook, retry, awaited fields, all other interceptors
///         LastStep.send(_:)            checks it, counts the attempt, and calls the stub or the transport
///       finished(_:)                 reads the beginning of the body of a failure
///
/// Outside of the run are the operators of an override of ``APIBase/startRequest()``, the conversion of failures by
/// ``Start/conversion``, the operators of the leaf, and the report of the outcome to the hook by ``RunReport``.
struct Run: Sendable {
    private let plan: RunPlan
    private let ledger: RunLedger
    private let progress: RunPlan.Progress

    init(of plan: RunPlan) {
        self.plan = plan
        ledger = RunLedger(
            over: plan.session, behind: plan.network, calling: plan.called, signingUsers: plan.interceptors.signingUsers
        )
        progress = (plan.progress.upload.beginRun(), plan.progress.download?.beginRun())
    }

    /// Sends the request and returns the response that the settings accept.
    func outcome() async throws -> DataResponse {
        plan.report?.begin()
        let response: DataResponse
        do {
            response = try await finished(exchanged())
        } catch {
            let failure = describing(error)
            progress.upload.end(afterReceiving: progress.download, nil)
            end(.failure(failure), ledger.latest)
            throw failure
        }
        do {
            try plan.rules.judge(response)
        } catch {
            end(.failure(error), response)
            throw error
        }
        end(.success(response), response)
        return plan.rules.marking(response)
    }

    /// Sends the request through the interceptors.
    private func exchanged() async throws -> DataResponse {
        try plan.checkStub()
        let request = try await prepared()
        let last = LastStep(
            method: request.urlRequest.httpMethod, stub: plan.stub, transport: plan.transport, peer: plan.peer,
            credentials: plan.credentials, observers: plan.observers, ledger: ledger, retry: RetryFacts.current)
        // Without interceptors, the request does not change, and need not be checked again.
        let response =
            plan.interceptors.isEmpty
            ? try await last.send(consume request)
            : try await pass(request, to: Next(last.sendChanged).preceded(by: plan.interceptors))
        // A transport fails if the task is cancelled, but an interceptor or a stub may still respond.
        if Task.isCancelled { throw ErrandError(.cancelled) }
        return response
    }

    /// Completes the request: adds the header fields of a stream's reader, creates a deferred body, and makes the
    /// checks and changes of the endpoint.
    private func prepared() async throws -> TransportRequest {
        var request: TransportRequest
        switch plan.request {
        case .success(let built): request = built
        case .failure(let error): throw error
        }
        if request.streamsResponse, let fields = StreamReader.current?.fields {
            // Fields of the same name are joined into one.
            for field in fields { request.urlRequest.setHeaderField(field.name, fields[field.name]) }
        }
        request.run = ledger
        request.uploadProgress = progress.upload
        request.downloadProgress = progress.download
        if request.hasDeferredBody { request = try await request.withDeferredBody() }
        if let endpoint = plan.endpoint { return try await endpoint.value.prepared(request) }
        return request
    }

    /// Calls the interceptors. Requests that these send themselves, such as for a new token, belong neither to a
    /// pipeline's retry nor to the reader of a stream.
    ///
    /// Without either, it avoids a closure: Swift 6.3 runs the closure outside the caller's actor.
    private func pass(_ request: TransportRequest, to next: Next) async throws -> DataResponse {
        var request = request
        request.clientCertificate = plan.session.clientCertificate
        if let scope = plan.scopeOfInterceptors {
            return try await ServiceScope.$current.withValue(scope.value) {
                try await Self.outsideOfRuns { try await next(request) }
            }
        }
        guard RetryFacts.current != nil || StreamReader.current != nil else { return try await next(request) }
        return try await Self.outsideOfRuns { try await next(request) }
    }

    /// Runs work that belongs to no run, although it may be started in one.
    static func outsideOfRuns<Value>(_ work: () async throws -> Value) async rethrows -> Value {
        try await RetryFacts.$current.withValue(nil) { try await StreamReader.$current.withValue(nil, operation: work) }
    }

    /// Returns the response with its decoder. Ends the progress: for a collected body immediately, for a streamed one
    /// at its end.
    private func finished(_ received: DataResponse) async throws -> DataResponse {
        var response = received
        // Most requests have no decoder. An assignment copies the contents of the response.
        if plan.decoder != nil || response.decoder != nil { response.decoder = plan.decoder }
        let progress = progress
        guard response.body.isStreamed else {
            progress.upload.end(afterReceiving: progress.download, response.data.count)
            return response
        }
        response = response.counted(in: progress.download).watched { reason, count in
            let received = if case .whole = reason { count } else { nil as Int? }
            progress.upload.end(afterReceiving: progress.download, received)
        }
        let timeout = try plan.request.get().urlRequest.timeoutInterval
        let preview = BodyPreview(response.body, maximumWait: timeout)
        StreamReader.current?.preview.withLock { $0 = preview }
        // The error of a rejected response shows the beginning of the body. An error response is usually small.
        let isRejected = response.statusCode >= 300 || plan.rules.isFailure(response)
        let prefix = isRejected ? try await preview.start() : Data()
        response.body = ResponseBody(prefix: prefix, reader: preview.reader)
        return response
    }

    /// Reports the end of the run, once. The progress of a streamed response ends later, with its body.
    private func end(_ outcome: Result<DataResponse, any Error>, _ response: DataResponse?) {
        // No attempt may begin after the run, such as one that an interceptor shares with other requests.
        progress.upload.close()
        progress.download?.close()
        if let report = plan.report, let response { report.end(response) }
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
    private func describing(_ error: any Error) -> any Error {
        guard let request = try? plan.request.get() else { return error }
        if error.isCancellation {
            return ErrandError(transportFailure: error).with(request: request.urlRequest, attempts: ledger.attempts)
        }
        // An error that an interceptor throws itself lacks the attempts so far. `LastStep` has already set those of an
        // unsupported request, which was not sent.
        guard var error = error as? ErrandError, error.code != .unsupportedByTransport else { return error }
        if error.peer == .server { error.peer = plan.peer }
        return error.naming(maximumBodySize: request.maximumBodySize)
            .with(request: request.urlRequest, attempts: ledger.attempts)
    }
}

/// The last step of a run, after the interceptors. It does not hold the interceptors: one that stores its `next`, such
/// as a cache that refreshes in the background, would otherwise retain itself.
private struct LastStep: Sendable {
    /// The method of the request before the interceptors.
    let method: String?
    let stub: Pipeline<DataResponse, any Error>?
    let transport: any Transport
    let peer: Peer
    /// The credentials that a refused request may lack.
    let credentials: CredentialsOnceSet?
    let observers: [any ExchangeObserver]
    let ledger: RunLedger
    /// The pipeline's retry, to which each request with a method that is not idempotent is reported; `nil` without a
    /// retry.
    let retry: RetryFacts?

    /// Checks a request that interceptors may have changed, and sends it once.
    ///
    /// The method must be the same, because an outer interceptor, such as a retry, decides by it what may be repeated.
    func sendChanged(_ request: TransportRequest) async throws -> DataResponse {
        do throws(ErrandError) {
            try RequestCheck.check(request.urlRequest, bodyStream: request.bodyStream)
            guard request.urlRequest.httpMethod == method else {
                let names = "\(method ?? "GET") to \(request.urlRequest.httpMethod ?? "GET")"
                throw ErrandError(.invalidMethod, reason: "an interceptor changed the method from \(names)")
            }
        } catch {
            throw error.with(request: request.urlRequest, attempts: ledger.attempts)
        }
        return try await send(copy request)
    }

    /// Sends the request once.
    func send(_ request: consuming TransportRequest) async throws -> DataResponse {
        let observed = observers.isEmpty ? nil : ObservedSending(of: copy request, for: observers, in: ledger)
        do {
            // A task that was already cancelled must not send anything.
            if Task.isCancelled { throw ErrandError(.cancelled) }
            try request.bodyStream?.claimForSending()
            try observed?.begin(&request)
        } catch {
            let failure = ErrandError(transportFailure: error)
                .with(request: request.urlRequest, attempts: ledger.attempts)
            observed?.end(.failure(failure))
            throw failure
        }
        ledger.begin()
        if let retry {
            let method = RequestMethod(rawValue: request.urlRequest.httpMethod ?? "GET")
            if !RequestMethod.idempotent.contains(method) { retry.note { $0.isSafeToRepeat = false } }
        }
        request.uploadProgress?.begin(total: request.bodySize)
        request.downloadProgress?.begin(total: nil)
        do {
            let response = try await response(to: request)
            observed?.end(.success(response))
            return response
        } catch {
            let failure = failure(error, of: request, attempts: ledger.attempts)
            observed?.end(.failure(failure))
            throw failure
        }
    }

    private func response(to request: TransportRequest) async throws -> DataResponse {
        var response: DataResponse
        if let stub { response = try await stub.value } else { response = try await transport.send(request) }
        if response.body.isStreamed, !request.streamsResponse {
            response = try await response.collected(upTo: request.maximumBodySize)
        }
        response = response.responding(to: request.urlRequest, attempts: ledger.attempts, from: peer)
        if response.statusCode == 401 || response.statusCode == 403 {
            response.note = credentials?.removed(from: request) ?? response.note
        }
        ledger.end(response)
        guard response.body.isStreamed else { return response }
        let count = ledger.attempts
        response.body = response.body.mapError { failure($0, of: request, attempts: count) }
        return response
    }

    private func failure(_ error: any Error, of request: TransportRequest, attempts: Int) -> ErrandError {
        var failure = ErrandError(transportFailure: error).naming(maximumBodySize: request.maximumBodySize)
        failure.peer = peer
        let wasSent = failure.code != .unsupportedByTransport
        return failure.with(request: request.urlRequest, attempts: wasSent ? attempts : attempts - 1)
    }
}
