import Errand
import ErrandTesting
import TestSupport

/// A request of whatever a test sets, over libcurl: `URLSession` on Linux can be given no authority to trust.
final class TLSClient: APIBase, Request {
    /// - Parameters:
    ///   - authority: Whom it trusts, as PEM.
    ///   - change: What else is set.
    init(
        _ url: URL, trusting authority: Data?, path: RequestPath = "/",
        _ change: (inout CurlConfiguration) -> Void = { _ in }
    ) {
        super.init()
        var configuration = CurlConfiguration()
        configuration.proxy = .none
        configuration.tls.additionalAuthorities = authority
        change(&configuration)
        session = CurlTransport(configuration)
        baseURL = url
        timeoutInterval = .hangGuard
        self.path = path
    }

    convenience init(_ server: MockServer, path: RequestPath = "/") {
        self.init(server.url, trusting: server.certificateAuthority, path: path)
    }

    func start() -> Pipeline<DataResponse, any Error> { sendRequest() }

    /// Sends it, and gives the code of the transport's failure; nil when there is none.
    func failure() async -> URLError.Code? {
        do {
            _ = try await start().value
            return nil
        } catch {
            return ((error as? ErrandError)?.underlyingError as? URLError)?.code
        }
    }
}

extension MockServer {
    /// The same port, under a name of the loopback's.
    func url(host: String) -> URL {
        URL(string: "\(url.scheme ?? "")://\(host):\(url.port ?? 0)") ?? url
    }
}
