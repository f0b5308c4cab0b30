/// Why what a client sent is no request, and what it is told.
enum RequestFailure: Error, Hashable {
    case malformed(String)
    case headTooLarge
    case bodyTooLarge

    var response: MockResponse {
        switch self {
        case .malformed(let what): .text("Malformed \(what)\n", statusCode: 400)
        case .headTooLarge: .text("The head is larger than \(RequestParser.maximumHeadSize) bytes\n", statusCode: 431)
        case .bodyTooLarge: .text("The body is larger than the server takes\n", statusCode: 413)
        }
    }
}
