import Errand
import Testing

/// The ways to a file of nginx's: plain HTTP/1.1, and HTTP/2 over TLS. `URLSession` on Linux trusts no authority of a
/// test's, so it goes the plain way alone.
enum FileWay: String, CaseIterable, Sendable {
    case http1
    case http2
    case urlSession

    /// Those of libcurl.
    static let curl: [FileWay] = [.http1, .http2]
}

/// An nginx, with whatever its `server` block says besides, that gives the files of a directory.
struct FileServer: Sendable {
    let transport: any Transport
    let directory: TemporaryDirectory
    private let nginx: Nginx

    /// - Parameter settings: What stands in its `server` block besides.
    init(
        _ way: FileWay, _ settings: String = "", _ change: (inout CurlConfiguration) throws -> Void = { _ in }
    ) async throws {
        let issued = way == .http2 ? SharedCertificate.current : nil
        try #require((issued != nil) == (way == .http2))
        directory = try TemporaryDirectory()
        nginx = try await Nginx(
            certificate: issued?.certificate, directory: directory,
            "root \(directory.url.path); \(settings)")
        transport =
            switch way {
            case .http1: try CurlTransport.direct(change)
            case .http2:
                try CurlTransport.direct { configuration in
                    configuration.tls.additionalAuthorities = try issued?.authority.pem
                    try change(&configuration)
                }
            case .urlSession: URLSessionTransport()
            }
    }

    func url(_ path: String) throws -> URL { try nginx.url(path) }

    func write(_ text: String, to name: String) throws {
        try directory.write(Data(text.utf8), to: name)
    }

    /// A GET with these fields.
    func get(_ path: String, _ headers: [String: String] = [:]) async throws -> DataResponse {
        try await transport.get(url(path), headers: headers)
    }

    /// The way of a request through all of Errand.
    func request(_ path: String) throws -> FileServerRequest {
        let request = FileServerRequest()
        request.baseURL = try url("/")
        request.path = RequestPath(path)
        request.session = transport
        return request
    }
}

/// A request for a file.
final class FileServerRequest: APIBase, Errand.Request {
    func start() -> Pipeline<DataResponse, any Error> { sendRequest() }
}
