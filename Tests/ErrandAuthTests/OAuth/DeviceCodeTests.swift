import Errand
import ErrandAuth
import ErrandMockServer
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

    /// Responses that do not come from the flow, by their name.
    static let strayResponses: [(String, DataResponse)] = [
        ("a page of a proxy", page(502)), ("an overloaded server", page(503, "busy")),
        ("a limit of requests", page(429)),
        ("a timeout of a gateway", page(504)), ("a firewall", page(403, "forbidden")), ("a missing route", page(404)),
        ("a bad request without a document", page(400)), ("a redirect", page(302)), ("a captive portal", page(200)),
        ("an empty response", page(500, "")),
        ("a document of another kind", .json("{\"message\": \"Forbidden\"}", status: 403)),
        ("an error object", .json("{\"error\": {\"code\": 503}}", status: 503)),
        ("a server error with a document", .json("{\"error\": \"Bad Gateway\"}", status: 502)),
        ("server_error", .refusal(.serverError)), ("temporarily_unavailable", .refusal(.temporarilyUnavailable)),
    ]

    private static func page(_ status: Int, _ text: String = "<html></html>") -> DataResponse {
        DataResponse(statusCode: status, headers: ["Content-Type": "text/html"], data: Data(text.utf8))
    }

    @Test(arguments: strayResponses.indices)
    func `device polling continues after a response that is not from the flow`(_ index: Int) async throws {
        let (name, stray) = Self.strayResponses[index]
        let server = server(.refusal(.authorizationPending), stray, .tokens(1))
        let client = client(server)
        let device = try await client.deviceAuthorization()
        let tokens = try await clock.run { try await client.tokens(for: device) }
        #expect(tokens.accessToken.value == "access1", "\(name)")
        // The interval of 4 seconds is doubled after the stray response.
        #expect(clock.now.offset == .seconds(4 + 4 + 8), "\(name)")
    }

    @Test func `device polling that gets only stray responses ends when the code expires`() async throws {
        let client = client(server(Self.page(503)))
        let device = try await client.deviceAuthorization()
        await expectOAuthError(.expiredToken) { try await clock.run { try await client.tokens(for: device) } }
    }

    @Test(arguments: [503, 429, 400]) func `device polling waits for Retry-After`(_ status: Int) async throws {
        let busy = status == 400 ? DataResponse.refusal(.slowDown) : Self.page(status)
        let limited = DataResponse(
            statusCode: busy.statusCode, headers: busy.headers.merging(["Retry-After": "15"]), data: busy.data)
        let client = client(server(limited, .tokens(1)))
        let device = try await client.deviceAuthorization()
        _ = try await clock.run { try await client.tokens(for: device) }
        #expect(clock.now.offset == .seconds(4 + 15))
    }

    @Test func `device polling with a Retry-After beyond the end of the code sends a last request then`() async throws {
        let busy = DataResponse(statusCode: 503, headers: ["Retry-After": "3600"])
        let client = client(server(busy, .tokens(1)))
        let device = try await client.deviceAuthorization()
        _ = try await clock.run { try await client.tokens(for: device) }
        #expect(clock.now.offset == .seconds(30))
    }

    @Test(arguments: [
        OAuthError.Code.accessDenied, .expiredToken, .invalidGrant, .invalidClient, .invalidRequest, .invalidScope,
        .unauthorizedClient, .unsupportedGrantType, OAuthError.Code(rawValue: "authorization_declined"),
    ])
    func `device polling ends with each other OAuth error, whatever its status`(_ code: OAuthError.Code) async throws {
        let known = code != OAuthError.Code(rawValue: "authorization_declined")
        for status in [400, 401, 403] + (known ? [500] : []) {
            let client = client(server(.refusal(code, status: status)))
            let device = try await client.deviceAuthorization()
            await expectOAuthError(code) { try await clock.run { try await client.tokens(for: device) } }
        }
    }

    @Test func `a device polling task that is started again keeps the interval of slow_down`() async throws {
        let server = server(.refusal(.slowDown), .tokens(1))
        let client = client(server)
        let device = try await client.deviceAuthorization()
        let task = Task { try await client.tokens(for: device) }
        try await clock.waitForSleepers()
        clock.advance(by: .seconds(4))
        try await clock.waitForSleeper(until: .init(offset: .seconds(13)))
        task.cancel()
        await expectFailure(.cancelled) { try await task.value }
        _ = try await clock.run { try await client.tokens(for: device) }
        #expect(clock.now.offset == .seconds(4 + 9))
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
