import Errand

/// httpbin as an API: a response that is not a success is a failure, unless a request accepts other statuses.
class HTTPBinAPI: APIBase {
    /// The statuses that are not failures.
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

/// Requests the whole response.
final class WholeRequest: HTTPBinAPI, Errand.Request {
    func start() -> Pipeline<DataResponse, any Error> { sendRequest() }
}

/// Requests the echo of the request.
final class EchoRequest: HTTPBinAPI, Errand.Request {
    func start() -> Pipeline<Echo, any Error> {
        sendRequest().hasContentType("application/json").decode(Echo.self)
    }
}

/// Requests a JSON document of another type.
final class DocumentRequest<Document: Decodable & Sendable>: HTTPBinAPI, Errand.Request {
    func start() -> Pipeline<Document, any Error> {
        sendRequest().hasContentType("application/json").decode(Document.self)
    }
}

/// Requests a response that is streamed.
final class PiecesRequest: HTTPBinAPI, StreamingRequest {
    func startStream() -> ResponseStream { sendStream() }
}

/// Requests a text that is read line by line, each a JSON value.
final class EchoesRequest: HTTPBinAPI, StreamingRequest {
    func startStream() -> some AsyncSequence<NumberedEcho, any Error> & Sendable {
        sendStream().values(of: NumberedEcho.self)
    }
}

/// Requests a file.
final class FileRequest: HTTPBinAPI, Errand.Request {
    var target = URL(fileURLWithPath: "/")

    func start() -> Pipeline<DownloadedFile, any Error> { sendDownload(to: target) }
}
