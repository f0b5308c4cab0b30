import Errand

/// The common settings of all requests to the API: its base URL, its format and the accepted responses.
///
/// Each request is a subclass of this class, beside the model of its resource.
class PlaceholderAPI: APIBase {
    /// The value that is sent as JSON; `nil` for a request without a body.
    var content: (any Encodable & Sendable)?

    override init() {
        super.init()
        baseURL = URL(string: "https://jsonplaceholder.typicode.com")
        headers = ["Accept": "application/json"]
    }

    /// The media type of an accepted response.
    var acceptedType: ContentType { .json }

    override var body: RequestBody {
        get {
            let encoder = FastJSONEncoder(formatting: [.sortedKeys, .withoutEscapingSlashes])
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

extension APIService<any Error> {
    /// Returns the destination of the requests: the embedded server, or another server with the same API.
    ///
    /// - Parameter token: The token of the signed-in user, for requests that need one.
    static func placeholder(at baseURL: URL?, token: String? = nil) -> APIService<any Error> {
        var service = APIService(baseURL: baseURL.map { BaseURL($0) })
        if let token, !token.isEmpty { service.settings.headers["Authorization"] = "Bearer \(token)" }
        return service
    }

    /// Returns this service with interceptors before its own.
    func adding(_ interceptors: any Interceptor...) -> APIService<any Error> {
        var service = self
        service.settings.interceptors = .adding(interceptors + settings.interceptors.elements)
        return service
    }
}
