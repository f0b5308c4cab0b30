import Errand
import TestSupport
import Testing

class RegistryAPI: APIBase {
    init(_ registry: URL, _ authentication: TokenAuthentication) {
        super.init()
        baseURL = registry
        interceptors = [authentication]
    }
}

final class RegistryTokenRequest: APIBase, Request {
    struct Grant: Decodable, Sendable {
        var token: String
    }

    static let scopes = Recorder<String?>()

    init(_ realm: String, _ service: String?, _ scope: String?) {
        // The registry writes the actions in any order.
        Self.scopes.record(scope?.replacingOccurrences(of: "push,pull", with: "pull,push"))
        super.init()
        baseURL = URL(string: realm)
        query = ["service": service, "scope": scope]
        session = CurlTransport.direct()
    }

    func start() -> Pipeline<Grant, any Error> {
        sendRequest().validateStatusCode(in: 200..<300).decode(Grant.self)
    }
}

private final class RegistryRequest: RegistryAPI, Request {
    init(_ method: RequestMethod, _ path: RequestPath, at registry: URL, _ authentication: TokenAuthentication) {
        super.init(registry, authentication)
        session = CurlTransport.direct()
        self.method = method
        self.path = path
    }

    func start() -> Pipeline<DataResponse, any Error> { sendRequest() }
}

@Suite(.interop(.registry, .cryptography), .hangGuard) struct `Registry: tokens` {
    @Test func `registry tokens are requested for the scope of each challenge`() async throws {
        let registry = try await ImageRegistry()
        let authentication = TokenAuthentication(token: AccessToken("none")) { _, refusal in
            let challenge = refusal?.headers.authenticationChallenges.first { $0.hasScheme("Bearer") }
            guard let challenge, let realm = challenge.realm else {
                throw ErrandError(.authenticationFailed, reason: "the registry does not ask for a Bearer token")
            }
            let grant = try await RegistryTokenRequest(realm, challenge["service"], challenge["scope"]).start().value
            return AccessToken(grant.token)
        }
        func send(_ method: RequestMethod, _ path: RequestPath) async throws -> Int {
            try await RegistryRequest(method, path, at: registry.url, authentication).start().value.statusCode
        }
        #expect(try await send(.get, "") == 200)
        // Each repository needs a different token; a token with sufficient access is used again.
        #expect(try await send(.post, "tools/blobs/uploads/") == 202)
        #expect(try await send(.post, "tools/blobs/uploads/") == 202)
        #expect(try await send(.get, "other/tags/list") == 404)
        #expect(try await send(.post, "tools/blobs/uploads/") == 202)
        #expect(
            RegistryTokenRequest.scopes.elements == [
                nil, "repository:tools:pull,push", "repository:other:pull", "repository:tools:pull,push",
            ])
    }
}
