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

/// Downloads a file with GET.
final class DownloadFileRequest: FileAPI, Request {
    let target: URL
    let digest: FileDigest?

    init(name: String, target: URL, digest: FileDigest?) {
        self.target = target
        self.digest = digest
        super.init(name: name)
    }

    func start() -> Pipeline<DownloadedFile, any Error> {
        sendDownload(to: target, digest: digest)
    }
}

/// Uploads a file with PUT.
final class UploadFileRequest: FileAPI, Request {
    init(name: String, file: URL) {
        super.init(name: name)
        method = .put
        body = .file(file)
    }

    func start() -> Pipeline<DataResponse, any Error> {
        sendRequest()
    }
}
