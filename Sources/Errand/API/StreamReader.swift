/// The reader of a stream, as the request inside the pipeline knows it, past the user's operators.
final class StreamReader: Sendable {
    static var current: StreamReader? { TaskContext.current[StreamReader.self] }

    /// Header fields that it adds to the request.
    let fields: HeaderFields
    /// The body of the last response.
    let preview = Locked<BodyPreview?>(nil)

    init(adding fields: HeaderFields) {
        self.fields = fields
    }

    /// Sends the request and waits for a head that validation accepts.
    func open(_ pipeline: Pipeline<DataResponse, any Error>) async throws -> DataResponse {
        for field in fields { try RequestCheck.check(field: field) }
        // Tasks that were started in the meantime keep this object, and must not keep the body.
        defer { preview.withLock { $0 = nil } }
        do {
            return try await TaskContext.$current.withValue(TaskContext.current.with(self)) { try await pipeline.value }
        } catch var error as ErrandError where error.statusCode != nil && error.bodyPrefix.isEmpty {
            // Validation that refused the head could not see the body.
            let start = try? await preview.withLock(\.self)?.start()
            error.bodyPrefix = start.map { Data($0.prefix(ErrandError.bodyPrefixLimit)) } ?? Data()
            throw error
        }
    }
}
