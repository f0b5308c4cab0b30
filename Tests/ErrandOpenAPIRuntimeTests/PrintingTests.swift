import ErrandOpenAPIRuntime
import TestSupport
import Testing

/// Values with a secret in each property, by the name of their type.
private enum Printed {
    static let secret = PublicTypes.secret

    private static var request: SecuredAPI {
        let request = SecuredAPI()
        request.headers = ["Authorization": "Bearer hunter2"]
        request.body = .text(secret)
        return request
    }

    private static var pieces: AsyncStream<Data> {
        AsyncStream { continuation in
            continuation.yield(Data(secret.utf8))
            continuation.finish()
        }
    }

    static var values: [String: [Any]] {
        [
            "SchemeAuthentication": [
                SchemeAuthentication([
                    "token": BearerAuthentication(token: secret),
                    "key": APIKeyAuthentication(secret, in: .cookie("key")),
                ])
            ],
            "SecuredAPI": [request],
            "Upload": [Upload.data(Data(secret.utf8)), Upload.stream(BodyStream(pieces))],
        ]
    }
}

struct `The descriptions of public types` {
    /// The others hold what a document has, and are meant to be read.
    private static let types = PublicTypes(
        of: ["ErrandOpenAPIRuntime"], values: { Printed.values },
        others: [
            "CalendarDate", "Indirect", "JSONContent", "JSONContent.Kind", "Nullable", "ParameterStyle",
        ])

    @Test(arguments: types.names)
    func `no public type shows a secret in its description`(_ name: String) throws {
        try Self.types.expectNoSecret(in: name)
    }

    @Test(.enabled(if: PublicTypes.hasSources))
    func `every public type is tested for secrets in its description`() throws {
        try Self.types.expectToBeComplete()
    }
}
