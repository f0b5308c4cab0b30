package import Errand
import Foundation

/// A request as a test writes it, of whatever the test sets.
package final class Probe: APIBase, Request {
    package init(_ server: URL, _ transport: any Transport, method: RequestMethod = .get, path: String = "/") {
        super.init()
        baseURL = server
        session = transport
        self.method = method
        self.path = RequestPath(path)
    }

    package func start() -> Pipeline<DataResponse, any Error> { sendRequest() }
}
