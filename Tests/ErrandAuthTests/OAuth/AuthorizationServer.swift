import Errand
import ErrandAuth
import TestSupport
import Testing

/// A simulated authorization server: it records each form, and responds with the result of a closure.
struct AuthorizationServer: Transport {
    /// A request to the server.
    struct Request: Sendable {
        let url: String
        let form: [String: String]
        let authorization: String?
        let accept: String?
        /// The number of requests before this one.
        let number: Int

        /// The decoded user and password of Basic authentication.
        var basicPair: String? {
            authorization.flatMap { Data(base64Encoded: String($0.dropFirst("Basic ".count))) }
                .map { String(decoding: $0, as: UTF8.self) }
        }
    }

    private let received = Recorder<Request>()
    private let respond: @Sendable (Request) async throws -> DataResponse

    init(_ respond: @escaping @Sendable (Request) async throws -> DataResponse) {
        self.respond = respond
    }

    /// A server that returns these responses in turn, and repeats the last one.
    init(_ responses: DataResponse...) {
        self.init { responses[min($0.number, responses.count - 1)] }
    }

    var requests: [Request] { received.elements }
    var forms: [[String: String]] { requests.map(\.form) }
    /// A service that sends its requests to this server.
    var service: APIService<any Error> { APIService(session: self) }

    func send(_ request: TransportRequest) async throws -> DataResponse {
        var components = URLComponents()
        components.percentEncodedQuery = request.urlRequest.httpBody.map {
            String(decoding: $0, as: UTF8.self).replacingOccurrences(of: "+", with: "%20")
        }
        let items = (components.queryItems ?? []).map { ($0.name, $0.value ?? "") }
        let seen = Request(
            url: request.urlRequest.url?.absoluteString ?? "",
            form: Dictionary(items, uniquingKeysWith: { "\($0) twice: \($1)" }),
            authorization: request.authorization,
            accept: request.urlRequest.value(forHTTPHeaderField: "Accept"), number: requests.count)
        received.record(seen)
        return try await respond(seen)
    }
}

extension DataResponse {
    /// A JSON response.
    static func json(_ text: String, status: Int = 200) -> DataResponse {
        DataResponse(
            statusCode: status, headers: ["Content-Type": "application/json"],
            data: Data(text.utf8), url: URL(string: "https://id.test/token"))
    }

    /// Tokens named after a number: `access1`, `refresh1`.
    static func tokens(_ number: Int, refresh: Bool = true) -> DataResponse {
        let refresh = refresh ? ", \"refresh_token\": \"refresh\(number)\"" : ""
        return .json(
            "{\"access_token\": \"access\(number)\", \"token_type\": \"bearer\", \"expires_in\": 3600\(refresh)}")
    }

    /// An error response.
    static func refusal(_ error: OAuthError.Code, status: Int = 400) -> DataResponse {
        .json("{\"error\": \"\(error)\"}", status: status)
    }
}

/// Runs `body`, which must fail with an error response of this code.
@discardableResult
func expectOAuthError<Value>(
    _ code: OAuthError.Code, sourceLocation: SourceLocation = #_sourceLocation, _ body: () async throws -> Value
) async -> OAuthError? {
    do {
        _ = try await body()
        Issue.record("nothing was thrown, expected \(code)", sourceLocation: sourceLocation)
    } catch let error as OAuthError {
        #expect(error.code == code, "\(error)", sourceLocation: sourceLocation)
        return error
    } catch {
        Issue.record("\(error) was thrown, expected \(code)", sourceLocation: sourceLocation)
    }
    return nil
}

extension OAuthServer {
    /// All endpoints of a server that does not exist.
    static var test: OAuthServer {
        OAuthServer(
            issuer: "https://id.test", tokenEndpoint: "https://id.test/token",
            authorizationEndpoint: "https://id.test/authorize",
            deviceAuthorizationEndpoint: "https://id.test/device")
    }
}
