/// The end of a request's way: it checks what interceptors have changed, counts the attempt, and calls the stub or the
/// transport.
///
/// It does not hold the interceptors. An interceptor that stores its `next`, such as a cache that refreshes in the
/// background, would otherwise retain itself.
struct Sending: Sendable {
    /// The method of the request when it was built.
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

/// The reader of a stream. The request inside the pipeline finds it through the task context, regardless of the user's
/// operators.
final class StreamReader: Sendable {
    /// The reader for which the current task sends a request.
    @TaskLocal static var current: StreamReader?

    /// Header fields that the reader adds to the request.
    let fields: HeaderFields
    /// The body of the last response.
    let preview = Locked<BodyPreview?>(nil)

    init(adding fields: HeaderFields) {
        self.fields = fields
    }

    /// Sends the request and waits for a response head that passes validation.
    func open(_ pipeline: Pipeline<DataResponse, any Error>) async throws -> DataResponse {
        for field in fields { try RequestCheck.check(field: field) }
        // Tasks that were started meanwhile keep this object, but must not keep the body.
        defer { preview.withLock { $0 = nil } }
        do {
            return try await Self.$current.withValue(self) { try await pipeline.value }
        } catch var error as ErrandError where error.statusCode != nil && error.bodyPrefix.isEmpty {
            // The validation that rejected the head could not read the body.
            let start = try? await preview.withLock(\.self)?.start()
            error.bodyPrefix = start.map { Data($0.prefix(ErrandError.bodyPrefixLimit)) } ?? Data()
            throw error
        }
    }
}
