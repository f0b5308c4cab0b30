import Errand
import ErrandAuth
import ErrandTesting
import TestSupport
import Testing

struct `The device code flow` {
    private let clock = ManualClock()

    private static let device = """
        {"device_code": "GmRh", "user_code": "WDJB-MJHT", "verification_uri": "https://id.test/activate", \
        "verification_uri_complete": "https://id.test/activate?user_code=WDJB-MJHT", "expires_in": 30, "interval": 4}
        """

    /// Responds to requests for the tokens in turn.
    private func server(device: String = Self.device, _ responses: DataResponse...) -> AuthorizationServer {
        AuthorizationServer { request in
            if request.url == "https://id.test/device" { return .json(device) }
            return responses[min(request.number, responses.count) - 1]
        }
    }

    private func client(_ server: AuthorizationServer, secret: String? = nil) -> OAuthClient {
        OAuthClient(
            id: "tv", secret: secret, server: .test, service: server.service, clock: clock,
            now: { [clock] in clock.date })
    }

    @Test func `a device authorization has a user code and a verification URI`() async throws {
        let server = server(.tokens(1))
        let device = try await client(server, secret: "s").deviceAuthorization(
            scope: ["books"], parameters: ["client_id": "x", "audience": "a"])
        #expect(device.userCode == "WDJB-MJHT")
        #expect(device.verificationURI.absoluteString == "https://id.test/activate")
        #expect(device.verificationURIComplete?.query() == "user_code=WDJB-MJHT")
        #expect(device.lifetime == .seconds(30) && device.interval == .seconds(4))
        #expect(server.forms == [["client_id": "tv", "scope": "books", "audience": "a"]])
        #expect(server.requests.first?.basicPair == "tv:s")
    }

    @Test func `a verification URI keeps its escapes`() async throws {
        let device = Self.device.replacing("https://id.test/activate", with: "https://id.test/a%20b c")
        let authorization = try await client(server(device: device)).deviceAuthorization()
        #expect(authorization.verificationURI.absoluteString == "https://id.test/a%20b%20c")
    }

    @Test func `the polling interval is 5 seconds by default`() async throws {
        let short =
            "{\"device_code\": \"d\", \"user_code\": \"u\", \"verification_url\": \"https://x.test\", \"expires_in\": \"9\"}"
        let device = try await client(server(device: short)).deviceAuthorization()
        #expect(device.interval == .seconds(5) && device.lifetime == .seconds(9))
        #expect(device.verificationURI.absoluteString == "https://x.test")
        #expect(device.verificationURIComplete == nil)
    }

    @Test(arguments: ["device_code", "user_code", "verification_uri", "expires_in"])
    func `a device authorization without a required member fails`(_ name: String) async {
        let client = client(server(device: Self.device.replacingOccurrences(of: "\"\(name)\"", with: "\"x\"")))
        let error = await expectFailure(.decodingFailed) { try await client.deviceAuthorization() }
        #expect(error?.reason?.contains(name) == true)
    }

    @Test func `device polling uses the interval of the server and honors slow_down`() async throws {
        let server = server(
            .refusal(.authorizationPending), .refusal(.slowDown), .refusal(.authorizationPending, status: 428),
            .tokens(1))
        let client = client(server)
        let device = try await client.deviceAuthorization(scope: ["books"])
        async let tokens = client.tokens(for: device)
        for (requests, time) in [(1, 4), (2, 8), (3, 17), (4, 26)] {
            try await clock.waitForSleeper(until: .init(offset: .seconds(time)))
            #expect(server.requests.count == requests)
            clock.advance(to: .init(offset: .seconds(time)))
        }
        #expect(try await tokens.accessToken == AccessToken("access1", expiresAt: clock.date.addingTimeInterval(3600)))
        #expect(try await tokens.scope == ["books"])
        let form = [
            "grant_type": "urn:ietf:params:oauth:grant-type:device_code", "device_code": "GmRh", "client_id": "tv",
        ]
        #expect(server.forms.dropFirst() == [form, form, form, form])
    }

    @Test(arguments: [OAuthError.Code.accessDenied, .expiredToken, .invalidGrant])
    func `device polling ends with an error of the server`(_ code: OAuthError.Code) async throws {
        let server = server(.refusal(.authorizationPending), .refusal(code))
        let client = client(server)
        let device = try await client.deviceAuthorization()
        let error = await expectOAuthError(code) { try await clock.run { try await client.tokens(for: device) } }
        #expect(error?.statusCode == 400)
        #expect(clock.now.offset == .seconds(8))
    }

    @Test func `device polling ends when the code expires, after a last request`() async throws {
        let server = server(.refusal(.authorizationPending))
        let client = client(server)
        let device = try await client.deviceAuthorization()
        let error = await expectOAuthError(.expiredToken) {
            try await clock.run { try await client.tokens(for: device) }
        }
        #expect(error?.statusCode == nil)
        #expect(clock.now.offset == .seconds(32) && server.requests.count == 9)
    }

    @Test func `device polling continues after a network failure, with a longer interval`() async throws {
        let server = AuthorizationServer { request in
            switch request.number {
            case 0: return .json(Self.device)
            case 1: throw URLError(.networkConnectionLost)
            default: return .tokens(1)
            }
        }
        let client = client(server)
        let device = try await client.deviceAuthorization()
        _ = try await clock.run { try await client.tokens(for: device) }
        #expect(clock.now.offset == .seconds(12))
    }

    @Test func `device polling continues after a network failure although the service has a mapError`() async throws {
        struct Mapped: Error {}
        let server = AuthorizationServer { request in
            switch request.number {
            case 0: return .json(Self.device)
            case 1: throw URLError(.networkConnectionLost)
            default: return .tokens(1)
            }
        }
        let service = APIService<any Error>(session: server, mapError: { _ in Mapped() })
        let client = OAuthClient(id: "tv", server: .test, service: service, clock: clock)
        let device = try await client.deviceAuthorization()
        #expect(try await clock.run { try await client.tokens(for: device) }.accessToken.value == "access1")
    }

    @Test func `cancelling a device polling task ends it at once, and a later call succeeds`() async throws {
        let server = server(.tokens(1))
        let client = client(server)
        let device = try await client.deviceAuthorization()
        let task = Task { try await client.tokens(for: device) }
        try await clock.waitForSleepers()
        task.cancel()
        await expectFailure(.cancelled) { try await task.value }
        #expect(server.requests.count == 1)
        _ = try await clock.run { try await client.tokens(for: device) }
        #expect(server.requests.count == 2)
    }

    @Test func `cancelling a device polling task cancels its request`() async throws {
        let gate = Gate()
        let server = AuthorizationServer { request in
            if request.number > 0 { try await gate.pass() }
            return .json(Self.device)
        }
        let client = client(server)
        let device = try await client.deviceAuthorization()
        let task = Task { try await client.tokens(for: device) }
        try await clock.waitForSleepers()
        clock.advance(by: .seconds(4))
        try await gate.waitForArrivals(1)
        task.cancel()
        await expectFailure(.cancelled) { try await task.value }
    }

    @Test func `a device authorization without an endpoint fails`() async {
        let client = OAuthClient(id: "tv", server: OAuthServer(tokenEndpoint: "https://id.test/token"))
        await expectFailure(.invalidURL) { try await client.deviceAuthorization() }
    }
}
