import Errand

/// What the requests for files share: they are bytes of any kind, and no JSON.
class FileAPI: APIBase {
    init(name: String) {
        super.init()
        path = "/files/\(name)"
    }

    override func startRequest() -> Pipeline<DataResponse, any Error> {
        super.startRequest().validateStatusCode(in: 200..<300).decodeError(ProblemDetails.self)
    }
}
