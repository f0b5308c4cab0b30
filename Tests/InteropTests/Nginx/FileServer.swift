import Errand
import Testing

/// The ways to request a file from nginx: plain HTTP/1.1, and HTTP/2 over TLS. `URLSession` on Linux cannot trust a
/// test's authority, so it uses only the plain one.
enum FileWay: String, CaseIterable, Sendable {
    case http1
    case http2
    case urlSession

    /// The ways that libcurl supports.
    static let curl: [FileWay] = [.http1, .http2]
}

/// An nginx that serves the files of a directory, with further settings in its `server` block.
struct FileServer: Sendable {
    let transport: any Transport
    let directory: TemporaryDirectory
    private let nginx: Nginx

    /// - Parameter settings: The further settings of its `server` block.
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

    /// The path of a request through all layers of Errand.
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
