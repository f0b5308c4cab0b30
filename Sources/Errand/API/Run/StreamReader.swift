/// The reader of a stream. The request inside the pipeline finds it through the task context, regardless of the user's
/// operators.
final class StreamReader: Sendable {
    /// The reader for which the current task sends a request.
    @TaskLocal static var current: StreamReader?

    /// Header fields that the reader adds to the request.
    let fields: HeaderFields
    /// The body of the last response, which `RequestRunner` stores.
    let preview = Locked<BodyPreview?>(nil)

    init(adding fields: HeaderFields) {
        self.fields = fields
    }

    /// Sends the request and waits for a response head that passes validation.
    func open(_ pipeline: Pipeline<DataResponse, any Error>) async throws -> DataResponse {
        try RequestCheck.check(fields: fields)
        // Tasks that are started meanwhile inherit this object, but must not keep the body.
        defer { preview.withLock { $0 = nil } }
        do {
            return try await Self.$current.withValue(self) { try await pipeline.value }
        } catch var error as ErrandError where error.statusCode != nil && error.bodyPrefix.isEmpty {
            // The validation that rejected the head could not read the body. Below the status 300, nothing was read in
            // advance.
            let start = try? await preview.withLock(\.self)?.start()
            error.bodyPrefix = start.map { Data($0.prefix(ErrandError.bodyPrefixLimit)) } ?? Data()
            throw error
        }
    }
}
