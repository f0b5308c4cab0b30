import Errand
import ErrandMockServer
import ErrandTesting
import TestSupport

/// A request that a test configures, over libcurl: `URLSession` on Linux cannot trust a custom authority.
final class TLSClient: APIBase, Request {
    /// - Parameters:
    /// - authority: The certificate authority that it trusts, as PEM.
    /// - change: Sets other options of the configuration.
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

    /// Sends the request, and returns the code of the transport's failure; `nil` if it succeeds.
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
    /// The server's URL with another host name of the loopback.
    func url(host: String) -> URL {
        URL(string: "\(url.scheme ?? "")://\(host):\(url.port ?? 0)") ?? url
    }
}
