import Errand
import ErrandTesting

/// The head of a response: its status and header fields, and the fields for its framing (RFC 9112, section 6).
struct SerializedHead {
    /// The bytes from the status line to the empty line.
    let bytes: Data
    /// Whether the connection ends after the response, which the response states or implies.
    let endsConnection: Bool

    init(_ response: MockResponse, body: MockResponse.Body, to request: MockRequest?, keepsConnection: Bool) {
        var headers = response.headers
        if let (name, value) = Self.framing(of: body, for: response, to: request), headers[name] == nil {
            headers.add(name, value)
        }

        let lengthError = response.fault?.contentLengthError ?? 0
        let lacksEnd =
            switch body {
            case .untilClose: true
            case .stream: request?.version == "HTTP/1.0"
            case .empty, .sized, .chunked: lengthError > 0
            }
        let saysClose = headers["Connection"]?.lowercased() == "close"
        endsConnection = !keepsConnection || lacksEnd || saysClose
        if headers["Connection"] == nil {
            // A body that is shorter than declared must be unexpected, so the close is not announced.
            if endsConnection, lengthError <= 0 {
                headers.add("Connection", "close")
            } else if !endsConnection, request?.version == "HTTP/1.0" {
                headers.add("Connection", "keep-alive")
            }
        }

        let fields = headers.map { "\($0.name): \($0.value)\r\n" }.joined()
        bytes = Data("HTTP/1.1 \(response.statusCode) \(response.reason ?? "")\r\n\(fields)\r\n".utf8)
    }

    /// The header field that declares the length of the body; `nil` if there must be none.
    private static func framing(
        of body: MockResponse.Body, for response: MockResponse, to request: MockRequest?
    ) -> (String, String)? {
        guard response.mayHaveBody else { return nil }
        return switch body {
        case .empty: ("Content-Length", "0")
        case .sized(let data): ("Content-Length", "\(response.declaredLength(of: data))")
        case .chunked: ("Transfer-Encoding", "chunked")
        case .stream: request?.version == "HTTP/1.0" ? nil : ("Transfer-Encoding", "chunked")
        case .untilClose: nil
        }
    }
}
