import Errand

/// Who is logged in: gets a token with name and password, and keeps it until the server takes it no more.
actor Account: CredentialProvider {
    /// How many tokens there have been; the last of them is in use.
    private(set) var tokenCount = 0

    private let credentials: Credentials
    private let service: PlaceholderService
    private let onToken: @Sendable (_ number: Int, _ calls: Int) -> Void
    private var token: AccessToken?

    /// - Parameters:
    ///   - service: Where tokens are to be had.
    ///   - onToken: Told of each new token: its number, and for how many calls it is good.
    init(_ credentials: Credentials, at service: PlaceholderService, onToken: @escaping @Sendable (Int, Int) -> Void) {
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
