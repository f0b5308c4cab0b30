import Errand

/// What all requests to the API share: where it is, what it speaks, and which answers are good ones.
///
/// Each request is a leaf class of this one, in `Requests/`.
class PlaceholderAPI: APIBase {
    /// Sent as JSON; nil for a request without a body.
    var content: (any Encodable & Sendable)?

    override init() {
        super.init()
        baseURL = URL(string: "https://jsonplaceholder.typicode.com")
        headers = ["Accept": "application/json"]
    }

    /// What a good answer is.
    var acceptedType: ContentType { .json }

    override var body: RequestBody {
        get {
            var encoder = FastJSONEncoder()
            encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
            return content.map { .json($0, encoder: encoder) } ?? super.body
        }
        set { super.body = newValue }
    }

    override func startRequest() -> Pipeline<DataResponse, any Error> {
        super.startRequest()
            .validateStatusCode(in: 200..<300)
            .decodeError(ProblemDetails.self)
            .hasContentType(acceptedType)
    }
}
