import Errand
import TestSupport
import Testing

struct `What authenticates` {
    private struct Careless: CredentialProvider {
        let secret = "hunter2"
        func credential() async throws -> AccessToken? { AccessToken(secret) }
        func refresh(_ old: AccessToken?) async throws -> AccessToken { AccessToken(secret) }
    }

    private static let keepers: [any Sendable] =
        [
            BasicAuthentication(user: "hunter2", password: "hunter2"),
            BearerAuthentication(token: "hunter2"),
            APIKeyAuthentication("hunter2", in: .header("X-Key")),
            APIKeyAuthentication("hunter2", in: .query("key")), APIKeyAuthentication("hunter2", in: .cookie("key")),
            DigestAuthentication(user: "hunter2", password: "hunter2"),
            PasswordCredential(user: "hunter2", password: "hunter2"),
            AccessToken("hunter2", expiresAt: Date(timeIntervalSince1970: 0)),
            TokenAuthentication(Careless()),
            TokenAuthentication(token: AccessToken("hunter2")) { _ in AccessToken("hunter2") },
        ] + transports

    #if canImport(CCurl)
    private static let transports: [any Sendable] = {
        var configuration = CurlConfiguration()
        configuration.proxy = .server(
            URL(fileURLWithPath: "/proxy"), user: "hunter2", password: "hunter2")
        configuration.tls.identity = .init(
            certificate: .file("c"), key: .data(Data("hunter2".utf8)), passphrase: "hunter2")
        let transport = CurlTransport(configuration)
        return [
            configuration, configuration.proxy, configuration.tls, configuration.tls.identity ?? "none", transport,
            APIService(session: transport),
        ]
    }()
    #else
    private static let transports: [any Sendable] = []
    #endif

    @Test(arguments: keepers.indices)
    func `the description of an authentication interceptor contains no secret`(_ index: Int) {
        let keeper = Self.keepers[index]
        var dumped = ""
        dump(keeper, to: &dumped)
        dump([keeper], to: &dumped)
        let wrapped: [String: any Sendable] = ["key": keeper]
        for text in ["\(keeper)", String(reflecting: keeper), "\(wrapped)", dumped] {
            #expect(!text.contains("hunter2"), "\(text)")
            // The base64 form, which is sent, does not appear either.
            #expect(!text.contains("aHVudGVy"), "\(text)")
        }
    }

    @Test func `the description of a Secret is redacted`() {
        let secret = Secret("hunter2")
        #expect("\(secret)" == "***")
        #expect(String(reflecting: secret) == "***")
        #expect(Mirror(reflecting: secret).children.isEmpty)
    }

    @Test func `the description of a request contains no secret`() async throws {
        let request = SignedRequest([DigestAuthentication(user: "hunter2", password: "hunter2")])
        _ = try await request.start().value
        let sent = try #require(request.sent.first)
        #expect(sent.digestCredential?.password == "hunter2")
        var dumped = ""
        dump(sent, to: &dumped)
        for text in ["\(sent)", String(reflecting: sent), dumped, "\(request.interceptors)"] {
            #expect(!text.contains("hunter2"), "\(text)")
        }
    }
}
