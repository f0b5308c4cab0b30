import TestSupport
import Testing

@testable import Errand
@testable import ErrandAuth

/// Values with a secret in each property, by the name of their type.
private enum Printed {
    static let secret = PublicTypes.secret

    private static let url = URL(string: "https://hunter2:hunter2@api.example.com/users?api_key=hunter2")
    private static let shelf = URL(fileURLWithPath: "/shelf")
    private static let aws = AWSCredential(id: "id", secret: secret, sessionToken: secret)
    private static let tokens = OAuthTokens(accessToken: AccessToken(secret), refreshToken: secret)

    private static var oauth: OAuthClient {
        OAuthClient(
            id: "app", secret: secret, server: OAuthServer(tokenEndpoint: url?.absoluteString ?? ""),
            service: APIService(interceptors: [BearerAuthentication(token: secret)]))
    }

    static var values: [String: [Any]] {
        [
            "AWSCredential": [aws], "AWSSignature": [AWSSignature(aws, region: "x", service: "s3")],
            "MessageSignature": [
                MessageSignature(.hmacSHA256(id: "id", secret: Data(secret.utf8)), covering: [.method])
            ],
            "MessageSignature.Key": [MessageSignature.Key.hmacSHA256(id: "id", secret: Data(secret.utf8))],
            "OAuthAuthorization": [
                OAuthAuthorization(url: url ?? shelf, redirectURI: "app:/", state: secret, codeVerifier: secret)
            ],
            "OAuthClient": [oauth], "OAuthClientCredentials": [OAuthClientCredentials(oauth)],
            "OAuthDeviceAuthorization": [
                OAuthDeviceAuthorization(
                    userCode: secret, verificationURI: shelf, verificationURIComplete: url, lifetime: .seconds(1),
                    interval: .seconds(1), code: Secret(secret), scope: [], timeline: Timeline(ContinuousClock()))
            ],
            "OAuthServer": [oauth.server], "OAuthSession": [OAuthSession(oauth, tokens: tokens)],
            "OAuthTokens": [tokens],
        ]
    }
}

struct `The descriptions of public types` {
    private static let types = PublicTypes(
        of: ["ErrandAuth"], values: { Printed.values },
        others: ["MessageSignature.Component", "OAuthClient.Authentication", "OAuthError", "OAuthError.Code"])

    @Test(arguments: types.names)
    func `no public type shows a secret in its description`(_ name: String) throws {
        try Self.types.expectNoSecret(in: name)
    }

    @Test(.enabled(if: PublicTypes.hasSources))
    func `every public type is tested for secrets in its description`() throws {
        try Self.types.expectToBeComplete()
    }
}
