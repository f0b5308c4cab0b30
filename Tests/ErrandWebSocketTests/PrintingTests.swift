import Errand
import ErrandWebSocket
import TestSupport
import Testing

/// Values with a secret in each property, by the name of their type.
private enum Printed {
    private static let secret = PublicTypes.secret
    private static let url = URL(string: "https://hunter2:hunter2@api.example.com/users?api_key=hunter2")
    private static let fields: HeaderFields = ["Authorization": "Bearer hunter2"]

    static var values: [String: [Any]] {
        [
            "WebSocketEndpoint": [
                WebSocketEndpoint(
                    url: url, query: ["api_key": secret], headers: fields,
                    settings: RequestSettings(headers: fields), coding: .text)
            ],
            "WebSocketMessage": [WebSocketMessage.text(secret), WebSocketMessage.data(Data(secret.utf8))],
        ]
    }
}

struct `The descriptions of public types` {
    private static let types = PublicTypes(
        of: ["ErrandWebSocket", "ErrandWebSocketTesting"], values: { Printed.values },
        others: [
            "WebSocket", "WebSocketCloseCode", "WebSocketClosure", "WebSocketCoding", "WebSocketOpening",
            "WebSocketOptions", "WebSocketOptions.Compression", "WebSocketOptions.Heartbeat", "WebSocketPeer",
            "WebSocketReconnection", "WebSocketStub",
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
