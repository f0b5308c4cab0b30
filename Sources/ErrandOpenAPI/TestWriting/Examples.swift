/// The examples of a request's bodies and responses that its tests use.
struct Examples {
    /// An example of the successful response.
    private(set) var first: Node?
    /// The other examples, with their types.
    private(set) var others: [(type: SwiftType, example: Node)] = []
    /// The examples with members that their types do not have.
    private(set) var partial: [(type: SwiftType, example: Node)] = []

    /// Finds the examples, and reports those that do not fit their types.
    init(of request: RequestModel, _ client: ClientModel, _ samples: Samples) {
        let operation = request.operation
        func add(_ content: [MediaType], _ type: SwiftType?) {
            for example in content.filter(\.isJSON).flatMap(\.examples) {
                if let type, samples.fits(example, type) {
                    others.append((type, example))
                } else if let type, samples.fits(example, type, allowsUnknown: true) {
                    partial.append((type, example))
                    let message = "the example has members that its type does not have, and that are not decoded"
                    client.document.reader.report(.note, .response, message, example)
                } else {
                    let message = "the example does not fit its schema; no test uses it"
                    client.document.reader.report(.note, .response, message, example)
                }
            }
        }
        for response in operation.responses where response.isSuccess || response.isDefault && request.isDefaultOutput {
            add(response.content, request.type(ofStatus: response.status))
        }
        if case .value = request.output { takeFirst() } else if case .optional = request.output { takeFirst() }
        for response in operation.responses
        where response.isFailure || response.isDefault && !request.isDefaultOutput {
            add(response.content, client.types.errorType(of: request, status: response.status))
        }
        if case .json? = request.body { add(operation.body?.content ?? [], request.bodyParameter?.type) }
    }

    private mutating func takeFirst() {
        guard !others.isEmpty else { return }
        first = others.removeFirst().example
    }
}

extension RequestModel {
    /// Whether the default response is the only description of a success.
    fileprivate var isDefaultOutput: Bool { !operation.responses.contains(where: \.isSuccess) }

    /// The type of a successful response.
    func type(ofStatus status: String) -> SwiftType? {
        switch output {
        case .value(let type), .optional(let type): return type
        case .void, .text, .data: return nil
        case .cases(let cases):
            guard case .value(let type)? = cases.first(where: { $0.status == status })?.output else { return nil }
            return type
        }
    }
}

extension TypeBuilder {
    /// The type of the error documents of a status.
    func errorType(of request: RequestModel, status: String) -> SwiftType? {
        guard case .declared(let id)? = request.errorType, case .errors(let documents) = declarations[id].content else {
            return request.errorType
        }
        return documents.first { $0.status == status }?.type
    }
}
