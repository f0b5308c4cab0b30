import Errand

/// The signed-in user: gets a token with name and password, and keeps it until the server rejects it.
actor Account: CredentialProvider {
    /// The number of tokens so far; the last one is in use.
    private(set) var tokenCount = 0

    private let credentials: Credentials
    private let service: APIService<any Error>
    private let onToken: @Sendable (_ number: Int, _ calls: Int) -> Void
    private var token: AccessToken?

    /// - Parameters:
    ///   - service: The service that issues tokens.
    ///   - onToken: Called with the number of each new token, and the number of calls that it is valid for.
    init(
        _ credentials: Credentials, at service: APIService<any Error>, onToken: @escaping @Sendable (Int, Int) -> Void
    ) {
        self.credentials = credentials
        self.service = service
        self.onToken = onToken
    }

    func credential() async throws -> AccessToken? { token }

    func refresh(_ old: AccessToken?) async throws -> AccessToken {
        let issued = try await TokenRequest(credentials).schedule(with: service).value
        let new = AccessToken(issued.token)
        token = new
        tokenCount += 1
        onToken(tokenCount, issued.calls)
        return new
    }
}

/// The name and password that are exchanged for a token.
struct Credentials: Codable, Equatable, Sendable {
    var name: String
    var password: String
}

/// A token, and the number of calls that it is valid for.
struct IssuedToken: Codable, Sendable {
    var token: String
    var calls: Int
}

/// Gets a token in exchange for a name and a password.
final class TokenRequest: PlaceholderAPI, Request {
    init(_ credentials: Credentials) {
        super.init()
        method = .post
        path = "/tokens"
        content = credentials
    }

    func start() -> Pipeline<IssuedToken, any Error> {
        sendRequest().decode(IssuedToken.self)
    }
}
