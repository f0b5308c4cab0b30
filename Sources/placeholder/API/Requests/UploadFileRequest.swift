import Errand

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
