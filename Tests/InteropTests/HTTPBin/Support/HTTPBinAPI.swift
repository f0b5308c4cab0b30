import Errand

/// httpbin as an API: what is no success is a failure, unless a request says otherwise.
class HTTPBinAPI: APIBase {
    /// The statuses that are no failure.
    var accepted = 200..<300

    /// A GET.
    init(_ path: RequestPath, _ transport: any Transport) throws {
        super.init()
        baseURL = try HTTPBin.shared.url
        self.path = path
        session = transport
        timeoutInterval = 60
    }

    override func startRequest() -> Pipeline<DataResponse, any Error> {
        super.startRequest().validateStatusCode(in: accepted)
    }
}

/// Asks for the answer as it is.
final class WholeRequest: HTTPBinAPI, Errand.Request {
    func start() -> Pipeline<DataResponse, any Error> { sendRequest() }
}

/// Asks what the server saw of the request.
final class EchoRequest: HTTPBinAPI, Errand.Request {
    func start() -> Pipeline<Echo, any Error> {
        sendRequest().hasContentType("application/json").decode(Echo.self)
    }
}

/// Asks for a JSON document of another kind.
final class DocumentRequest<Document: Decodable & Sendable>: HTTPBinAPI, Errand.Request {
    func start() -> Pipeline<Document, any Error> {
        sendRequest().hasContentType("application/json").decode(Document.self)
    }
}

/// Asks for an answer that is read as it comes.
final class PiecesRequest: HTTPBinAPI, StreamingRequest {
    func startStream() -> ResponseStream { sendStream() }
}

/// Asks for a text a line at a time, each a JSON value.
final class EchoesRequest: HTTPBinAPI, StreamingRequest {
    func startStream() -> JSONValues<ResponseStream, NumberedEcho> { sendStream().values(of: NumberedEcho.self) }
}

/// Asks for a file.
final class FileRequest: HTTPBinAPI, Errand.Request {
    var target = URL(fileURLWithPath: "/")

    func start() -> Pipeline<DownloadedFile, any Error> { sendDownload(to: target) }
}
