import Errand

/// What all requests to the API share: where it is, what it speaks, and which answers are good ones.
///
/// Each request is a leaf class of this one, in `Requests/`.
class PlaceholderAPI: APIBase {
    /// Sent as JSON; nil for a request without a body.
    var content: (any Encodable & Sendable)?
    /// Told of every request that went over the wire.
    var onExchange: (@Sendable (Exchange) -> Void)?

    override init() {
        super.init()
        baseURL = URL(string: "https://jsonplaceholder.typicode.com")
        headers = ["Accept": "application/json"]
    }

    /// What a good answer is.
    var acceptedType: MediaType { .json }

    override var body: RequestBody {
        get {
            let encoder = JSONEncoder()
            encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
            return content.map { .json($0, encoder: encoder) } ?? super.body
        }
        set { super.body = newValue }
    }

    override func startRequest() -> Pipeline<DataResponse, any Error> {
        observed(super.startRequest())
            .validateStatusCode(in: 200..<300)
            .decodeError(ProblemDetails.self)
            .hasContentType(acceptedType)
    }

    /// The same answer, of which ``onExchange`` is told before anything is thought about it.
    private func observed(_ answer: Pipeline<DataResponse, any Error>) -> Pipeline<DataResponse, any Error> {
        guard let onExchange, let request else { return answer }
        return .deferred {
            let start = ContinuousClock.now
            return answer.handleEvents(
                receiveOutput: {
                    onExchange(
                        Exchange(request: request, response: $0, duration: .now - start, metrics: $0.metrics))
                },
                receiveCompletion: { completion in
                    guard case .failure(let error as ErrandError) = completion, error.attempts > 0 else { return }
                    onExchange(
                        Exchange(request: request, response: nil, duration: .now - start, metrics: error.metrics))
                })
        }
    }
}
