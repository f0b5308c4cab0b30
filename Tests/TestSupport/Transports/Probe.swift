package import Errand
import Foundation

/// A request whose properties a test sets. Unless the test sets a time limit, the limit only guards against a hang.
package final class Probe: APIBase, Request {
    /// Creates a request to `https://api.example.com`.
    package init(_ transport: any Transport, method: RequestMethod = .get, path: String = "/") {
        super.init()
        baseURL = URL(string: "https://api.example.com")
        session = transport
        self.method = method
        self.path = RequestPath(path)
        timeoutInterval = .hangGuard
    }

    package convenience init(
        _ server: URL, _ transport: any Transport, method: RequestMethod = .get, path: String = "/"
    ) {
        self.init(transport, method: method, path: path)
        baseURL = server
    }

    package func start() -> Pipeline<DataResponse, any Error> { sendRequest() }
}
