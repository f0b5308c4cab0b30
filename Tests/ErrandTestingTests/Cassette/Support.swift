import Errand
import ErrandTesting
import TestSupport
import Testing

/// A folder that is deleted with its last reference.
final class CassetteFolder: Sendable {
    let url: URL

    init() throws {
        url = FileManager.default.temporaryDirectory.appendingPathComponent("errand-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true)
    }

    deinit {
        try? FileManager.default.removeItem(at: url)
    }

    func file(_ name: String = "shelf.har") -> URL { url.appendingPathComponent(name) }
}

/// Any request to any server.
final class AnyRequest: APIBase, Request, StreamingRequest {
    init(_ base: URL, _ path: RequestPath, _ query: URLQuery = [:], change: (AnyRequest) -> Void = { _ in }) {
        super.init()
        baseURL = base
        timeoutInterval = .hangGuard
        self.path = path
        self.query = query
        change(self)
    }

    func start() -> Pipeline<DataResponse, any Error> { sendRequest() }

    func startStream() -> ResponseStream { sendStream() }
}

/// The parts of a response that a caller sees.
struct SeenResponse: Equatable, Sendable {
    var statusCode: Int
    var headers: HeaderFields
    var data: Data
    var url: URL?
    var attempts: Int

    init(_ response: DataResponse) {
        statusCode = response.statusCode
        headers = response.headers
        data = response.data
        url = response.url
        attempts = response.attempts
    }
}

/// The transports that requests are recorded over.
enum RecordedTransport: String, CaseIterable, Sendable {
    case curl
    case urlSession

    func make() -> any Transport {
        switch self {
        #if canImport(CCurl)
        case .curl: CurlTransport()
        #else
        case .curl: URLSessionTransport()
        #endif
        case .urlSession: URLSessionTransport()
        }
    }
}

extension URL {
    /// The URL of a server that does not exist: no request reaches it.
    static func nowhere(_ path: String = "") throws -> URL {
        try #require(URL(string: "https://library.example.com\(path)"))
    }
}

extension HAR {
    /// An archive with these entries, as a browser or a test writes it.
    static func of(_ requests: HAR.Request..., response: HAR.Response = HAR.Response(status: 200)) -> HAR {
        HAR(log: HAR.Log(entries: requests.map { HAR.Entry(startedDateTime: "", request: $0, response: response) }))
    }

    func write(to file: URL) throws {
        try encoded().write(to: file)
    }
}

extension Cassette.Redaction {
    /// The default rules, with bodies of any type.
    static var keepingAll: Cassette.Redaction {
        var redaction = Cassette.Redaction()
        redaction.keptTypes = ["*/*"]
        return redaction
    }
}
