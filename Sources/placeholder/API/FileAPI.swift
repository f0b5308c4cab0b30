import Errand

/// The common settings of requests for files, whose bodies are bytes and not JSON.
class FileAPI: APIBase {
    init(name: String) {
        super.init()
        path = "/files/\(name)"
    }

    override func startRequest() -> Pipeline<DataResponse, any Error> {
        super.startRequest().validateStatusCode(in: 200..<300).decodeError(ProblemDetails.self)
    }
}
