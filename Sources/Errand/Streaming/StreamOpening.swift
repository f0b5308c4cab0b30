/// The way of a request whose answer is read as it comes: through the interceptors, and as a head to what validates it.
struct StreamOpening: Sendable {
    private let sending: Sending
    private let chain: [any Interceptor]

    init(_ sending: Sending, _ chain: [any Interceptor]) {
        self.sending = sending
        self.chain = chain
    }

    func pipeline(for transfer: TransportRequest) -> Pipeline<DataResponse, any Error> {
        Pipeline { () async throws(any Error) in
            try await sending.run(transfer) {
                let isSent = Locked(false)
                let way = Next { request in
                    if !chain.isEmpty { try sending.check(request) }
                    isSent.withLock { $0 = true }
                    return try await sending.stream(request)
                }
                let reader = StreamReader.current
                var answer = try await way.preceded(by: chain)(transfer.adding(reader?.fields ?? [:]))
                if !isSent.withLock(\.self) { answer = answer.counted(for: transfer) }
                let preview = BodyPreview(answer.body, patience: transfer.urlRequest.timeoutInterval)
                reader?.preview.withLock { $0 = preview }
                return try await head(of: answer, preview)
            }
        }
    }

    /// The answer as those see it who validate answers: with the first bytes of its body only where it tells of a failure,
    /// which they may want to read.
    private func head(of answer: StreamedResponse, _ preview: BodyPreview) async throws -> DataResponse {
        let isFailure = answer.statusCode >= 300
        return DataResponse(answer, data: isFailure ? try await preview.start() : Data(), stream: preview.body)
    }
}

/// Who opens a stream, as the request on its way knows of it: by the task.
final class StreamReader: Sendable {
    @TaskLocal static var current: StreamReader?

    /// Header fields that it adds.
    let fields: HTTPHeaders
    /// The body of the last answer.
    let preview = Locked<BodyPreview?>(nil)

    init(adding fields: HTTPHeaders) {
        self.fields = fields
    }

    /// Sends the request and opens its answer.
    func open(_ pipeline: Pipeline<DataResponse, any Error>) async throws -> StreamedResponse {
        for field in fields { try RequestCheck.check(field: field) }
        do {
            return try await Self.$current.withValue(self) { StreamedResponse(try await pipeline.value) }
        } catch var error as ErrandError where error.statusCode != nil && error.bodyPrefix.isEmpty {
            // Whoever refused the head could not see the body.
            let start = try? await preview.withLock(\.self)?.start()
            error.bodyPrefix = start.map { Data($0.prefix(ErrandError.bodyPrefixLimit)) } ?? Data()
            throw error
        }
    }
}

extension DataResponse {
    fileprivate init(_ answer: StreamedResponse, data: Data, stream: ResponseBody) {
        self.init(statusCode: answer.statusCode, headers: answer.headers, data: data, url: answer.url)
        method = answer.method
        attempts = answer.attempts
        source = answer.source
        self.stream = stream
    }
}

extension TransportRequest {
    fileprivate func adding(_ fields: HTTPHeaders) -> TransportRequest {
        var request = self
        for field in fields { request.urlRequest.setValue(fields[field.name], forHTTPHeaderField: field.name) }
        return request
    }
}
