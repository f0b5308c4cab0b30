package import Errand
import Foundation

/// A request whose properties a test sets. Unless the test sets a time limit, the limit only guards against a hang.
package final class Probe: APIBase, Request {
    package init(_ server: URL?, _ transport: any Transport, method: RequestMethod = .get, path: String = "/") {
        super.init()
        baseURL = server
        session = transport
        self.method = method
        self.path = RequestPath(path)
        timeoutInterval = .hangGuard
    }

    package func start() -> Pipeline<DataResponse, any Error> { sendRequest() }
}
