package import Errand
package import ErrandWebSocket

/// The server's part of the opening handshake (RFC 6455, section 4.2), for test servers.
package struct WebSocketServerHandshake: Sendable {
    /// The refusal of an upgrade.
    package struct Refusal: Error, Sendable {
        package var statusCode: Int
        package var headers: HeaderFields
    }

    /// The header fields of the response of status 101.
    package let headers: HeaderFields
    package let agreement: WebSocketAgreement

    /// Creates the response to a request.
    ///
    /// - Parameters:
    ///   - subprotocols: The server's subprotocols in order of preference. The first one that the client offers is
    ///     chosen.
    ///   - compression: The compression that the server supports; `nil` for none.
    package init(
        to request: HeaderFields, subprotocols: [String] = [], compression: WebSocketOptions.Compression? = nil
    ) throws(Refusal) {
        guard request["Upgrade"]?.equalsIgnoringASCIICase("websocket") == true,
            request.tokens("Connection").contains(where: { $0.equalsIgnoringASCIICase("upgrade") })
        else { throw Refusal(statusCode: 426, headers: ["Upgrade": "websocket", "Connection": "Upgrade"]) }
        guard request["Sec-WebSocket-Version"] == "13" else {
            throw Refusal(statusCode: 426, headers: ["Sec-WebSocket-Version": "13"])
        }
        guard let key = request["Sec-WebSocket-Key"], Data(base64Encoded: key)?.count == 16 else {
            throw Refusal(statusCode: 400, headers: [:])
        }
        var headers: HeaderFields = ["Upgrade": "websocket", "Connection": "Upgrade"]
        headers["Sec-WebSocket-Accept"] = WebSocketClientHandshake.accept(for: key)
        let wanted = request.tokens("Sec-WebSocket-Protocol")
        let subprotocol = subprotocols.first { wanted.contains($0) }
        headers["Sec-WebSocket-Protocol"] = subprotocol
        let agreed = compression.flatMap { Self.agree($0, to: request[values: "Sec-WebSocket-Extensions"]) }
        headers["Sec-WebSocket-Extensions"] = agreed?.field
        self.headers = headers
        agreement = WebSocketAgreement(subprotocol: subprotocol, compression: agreed)
    }

    /// Returns the agreement on the first acceptable offer.
    private static func agree(
        _ own: WebSocketOptions.Compression, to values: [String]
    ) -> PermessageDeflate? {
        WebSocketExtension.list(in: values)?.lazy.compactMap { offer -> PermessageDeflate? in
            guard let parameters = offer.deflateParameters(isOffer: true) else { return nil }
            var agreed = PermessageDeflate()
            agreed.serverNoContextTakeover =
                parameters["server_no_context_takeover"] != nil || !own.serverKeepsContext
            agreed.clientNoContextTakeover =
                parameters["client_no_context_takeover"] != nil || !own.clientKeepsContext
            agreed.serverMaxWindowBits = min(parameters["server_max_window_bits"] ?? 15, own.serverWindow)
            // A client that does not offer the parameter cannot receive one (RFC 7692, section 7.1.2.2).
            if let bits = parameters["client_max_window_bits"] {
                agreed.clientMaxWindowBits = min(bits, own.clientWindow)
            }
            return agreed
        }.first
    }
}
