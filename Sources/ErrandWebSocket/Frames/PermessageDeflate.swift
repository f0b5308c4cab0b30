/// The negotiated compression (RFC 7692, section 7.1).
package struct PermessageDeflate: Hashable, Sendable {
    /// Whether the server compresses each message without reference to earlier ones.
    package var serverNoContextTakeover = false
    /// Whether the client compresses each message without reference to earlier ones.
    package var clientNoContextTakeover = false
    /// The base-2 logarithm of the window size in bytes of the server's compressor, from 8 to 15.
    package var serverMaxWindowBits = 15
    /// The base-2 logarithm of the window size in bytes of the client's compressor, from 8 to 15.
    package var clientMaxWindowBits = 15

    package init() {}

    /// The end of each compressed message, which is not sent (section 7.2.1).
    static let tail: [UInt8] = [0x00, 0x00, 0xFF, 0xFF]

    /// Whether a message that this role sends may refer to earlier ones.
    func keepsContext(of role: WebSocketRole) -> Bool {
        role == .client ? !clientNoContextTakeover : !serverNoContextTakeover
    }

    /// Whether a message that this role receives may refer to earlier ones.
    func keepsContext(ofOther role: WebSocketRole) -> Bool {
        keepsContext(of: role == .client ? .server : .client)
    }

    func windowBits(of role: WebSocketRole) -> Int {
        role == .client ? clientMaxWindowBits : serverMaxWindowBits
    }

    /// The value for `Sec-WebSocket-Extensions` in the response.
    package var field: String {
        var parts = ["permessage-deflate"]
        if serverNoContextTakeover { parts.append("server_no_context_takeover") }
        if clientNoContextTakeover { parts.append("client_no_context_takeover") }
        if serverMaxWindowBits < 15 { parts.append("server_max_window_bits=\(serverMaxWindowBits)") }
        if clientMaxWindowBits < 15 { parts.append("client_max_window_bits=\(clientMaxWindowBits)") }
        return parts.joined(separator: "; ")
    }
}

/// The subprotocol and the compression on which the two sides agreed in the handshake; `nil` for none.
package struct WebSocketAgreement: Hashable, Sendable {
    package var subprotocol: String?
    package var compression: PermessageDeflate?

    package init(subprotocol: String? = nil, compression: PermessageDeflate? = nil) {
        self.subprotocol = subprotocol
        self.compression = compression
    }
}
