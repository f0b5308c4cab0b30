import Errand
import ErrandTesting

extension MockRequest {
    /// Whether the client keeps the connection open after this request (RFC 9112, section 9.3).
    var keepsConnection: Bool {
        let options = headers[values: "Connection"].flatMap { $0.split(separator: ",") }
            .map { $0.trimmingCharacters(in: .whitespaces).lowercased() }
        return version == "HTTP/1.1" ? !options.contains("close") : options.contains("keep-alive")
    }

    /// Whether the client waits for an interim response before it sends the body (RFC 9110, section 10.1.1).
    var expectsContinue: Bool {
        version == "HTTP/1.1" && headers["Expect"]?.lowercased() == "100-continue"
    }
}
