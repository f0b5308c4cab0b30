package import Errand

/// The client's part of the opening handshake (RFC 6455, section 4.1): the request, and the validation of the response.
package struct WebSocketClientHandshake: Sendable {
    private let subprotocols: [String]
    private let offer: WebSocketOptions.Compression?
    private let key: String

    /// - Parameter nonce: Sixteen unpredictable bytes.
    package init(
        _ options: WebSocketOptions, nonce: [UInt8] = (0..<16).map { _ in .random(in: 0 ... .max) }
    ) {
        subprotocols = options.subprotocols
        offer = options.compression
        key = Data(nonce).base64EncodedString()
    }

    /// The header fields that request the upgrade.
    package var fields: [HeaderFields.Field] {
        var fields = [
            HeaderFields.Field("Upgrade", "websocket"), HeaderFields.Field("Connection", "Upgrade"),
            HeaderFields.Field("Sec-WebSocket-Key", key), HeaderFields.Field("Sec-WebSocket-Version", "13"),
        ]
        if !subprotocols.isEmpty {
            fields.append(HeaderFields.Field("Sec-WebSocket-Protocol", subprotocols.joined(separator: ", ")))
        }
        if let offer { fields.append(HeaderFields.Field("Sec-WebSocket-Extensions", offer.headerValue)) }
        return fields
    }

    /// Returns the head of the request (RFC 9112, section 3). Its target is the path and the query, because the
    /// request goes to the origin directly or through a tunnel.
    ///
    /// - Throws: ``/Errand/ErrandError`` with `invalidURL` if the URL has no host.
    package func head(of request: URLRequest) throws(ErrandError) -> [UInt8] {
        guard let url = request.url, let authority = url.authority else {
            throw ErrandError(.invalidURL, reason: "the URL must have the scheme http or https, and a host")
        }
        var lines = ["GET \(url.originForm) HTTP/1.1"]
        let requestFields = (request.allHTTPHeaderFields ?? [:]).sorted { $0.key < $1.key }
        func isSet(_ name: String) -> Bool { requestFields.contains { $0.key.equalsIgnoringASCIICase(name) } }
        if !isSet("Host") { lines.append("Host: \(authority)") }
        if !isSet("User-Agent") { lines.append("User-Agent: Errand") }
        if !isSet("Authorization"), let credential = url.basicCredential {
            lines.append("Authorization: Basic \(credential)")
        }
        lines += requestFields.map { "\($0.key): \($0.value)" } + fields.map { "\($0.name): \($0.value)" }
        return Array((lines.joined(separator: "\r\n") + "\r\n\r\n").utf8)
    }

    /// Validates a response with status 101, and returns what the server has chosen.
    ///
    /// - Throws: ``/Errand/ErrandError`` with `webSocketHandshakeFailed`.
    package func agreement(on headers: HeaderFields) throws(ErrandError) -> WebSocketAgreement {
        guard headers[values: "Upgrade"].count == 1, headers["Upgrade"]?.equalsIgnoringASCIICase("websocket") == true
        else { throw .badHandshake(#"the response does not have one Upgrade field with the value "websocket""#) }
        guard headers.tokens("Connection").contains(where: { $0.equalsIgnoringASCIICase("upgrade") }) else {
            throw .badHandshake(#"the Connection field of the response does not contain "Upgrade""#)
        }
        guard headers[values: "Sec-WebSocket-Accept"] == [Self.accept(for: key)] else {
            throw .badHandshake("Sec-WebSocket-Accept of the response does not match the key of the request")
        }
        let chosen = headers[values: "Sec-WebSocket-Protocol"]
        guard chosen.isEmpty || (chosen.count == 1 && subprotocols.contains(chosen[0])) else {
            let selection = chosen.count == 1 ? "a subprotocol that was not requested" : "several subprotocols"
            throw .badHandshake("the server selected \(selection)")
        }
        return WebSocketAgreement(subprotocol: chosen.first, compression: try compression(headers))
    }

    /// Returns the `Sec-WebSocket-Accept` for a `Sec-WebSocket-Key`. The constant is part of the protocol (section
    /// 4.2.2).
    package static func accept(for key: String) -> String {
        Data(SHA1.digest(of: Array((key + "258EAFA5-E914-47DA-95CA-C5AB0DC85B11").utf8))).base64EncodedString()
    }

    /// Checks the compression that the server has chosen against the offer (RFC 7692, section 7.1).
    private func compression(_ headers: HeaderFields) throws(ErrandError) -> PermessageDeflate? {
        guard let list = WebSocketExtension.list(in: headers[values: "Sec-WebSocket-Extensions"]) else {
            throw .badHandshake("Sec-WebSocket-Extensions of the response is malformed")
        }
        guard let response = list.first else { return nil }
        guard let offer, list.count == 1, let parameters = response.deflateParameters(isOffer: false) else {
            throw .badHandshake("the server selected an extension, or parameters of it, that were not offered")
        }
        // The client keeps to its own offer, even if the response does not repeat it (sections 7.1.1.2 and 7.1.2.2).
        var agreed = PermessageDeflate()
        agreed.serverNoContextTakeover = parameters["server_no_context_takeover"] != nil
        agreed.clientNoContextTakeover = parameters["client_no_context_takeover"] != nil || !offer.clientKeepsContext
        agreed.serverMaxWindowBits = parameters["server_max_window_bits"] ?? 15
        agreed.clientMaxWindowBits = min(parameters["client_max_window_bits"] ?? 15, offer.clientWindow)
        // The server must grant what the client asked of it (sections 7.1.1.1 and 7.1.2.1).
        guard agreed.serverNoContextTakeover || offer.serverKeepsContext,
            agreed.serverMaxWindowBits <= offer.serverWindow
        else { throw .badHandshake("the server selected compression parameters that contradict the offer") }
        return agreed
    }
}

extension ErrandError {
    /// Returns the error of an invalid response to the handshake.
    static func badHandshake(_ reason: String) -> ErrandError {
        ErrandError(.webSocketHandshakeFailed, reason: reason)
    }
}

extension HeaderFields {
    /// Returns the elements of a list-valued header field.
    package func tokens(_ name: String) -> [String] {
        self[values: name].flatMap { $0.split(separator: ",") }.map { $0.trimmingCharacters(in: .whitespaces) }
    }
}

extension URL {
    /// The host and the port as written, without user information and zone; `nil` if there is no host.
    fileprivate var authority: String? {
        let text = absoluteString
        guard let scheme = text.range(of: "://") else { return nil }
        let authority = text[scheme.upperBound...].prefix { $0 != "/" && $0 != "?" && $0 != "#" }
        let host = authority.split(separator: "@", omittingEmptySubsequences: false).last.map(\.withoutZone)
        return host?.isEmpty == false ? host : nil
    }

    /// The path and the query as written; `/` if there is no path.
    fileprivate var originForm: String {
        let text = absoluteString
        guard let scheme = text.range(of: "://") else { return "/" }
        let rest = text[scheme.upperBound...].drop { $0 != "/" && $0 != "?" && $0 != "#" }.prefix { $0 != "#" }
        return rest.hasPrefix("/") ? String(rest) : "/" + rest
    }

    /// The user and the password of the URL, encoded for Basic authentication (RFC 7617).
    fileprivate var basicCredential: String? {
        guard let user = user(percentEncoded: false), !user.isEmpty else { return nil }
        return Data("\(user):\(password(percentEncoded: false) ?? "")".utf8).base64EncodedString()
    }
}

/// SHA-1 (RFC 3174), with which the handshake checks that a response belongs to its request. It must not be used for
/// security.
enum SHA1 {
    /// Returns the 20-byte digest of a message.
    static func digest(of message: [UInt8]) -> [UInt8] {
        var state: [UInt32] = [0x6745_2301, 0xEFCD_AB89, 0x98BA_DCFE, 0x1032_5476, 0xC3D2_E1F0]
        var padded = message + [0x80]
        // The zeros leave eight bytes of the last block for the length in bits.
        padded += [UInt8](repeating: 0, count: (120 - padded.count % 64) % 64)
        padded += (0..<8).reversed().map { UInt8(truncatingIfNeeded: (UInt64(message.count) * 8) >> ($0 * 8)) }
        for start in stride(from: 0, to: padded.count, by: 64) { add(padded[start..<(start + 64)], to: &state) }
        return state.flatMap { word in [24, 16, 8, 0].map { UInt8(truncatingIfNeeded: word >> $0) } }
    }

    /// Updates the state with a block of 64 bytes.
    private static func add(_ block: ArraySlice<UInt8>, to state: inout [UInt32]) {
        var words = stride(from: block.startIndex, to: block.endIndex, by: 4).map { start in
            block[start..<(start + 4)].reduce(UInt32(0)) { $0 << 8 | UInt32($1) }
        }
        for index in 16..<80 {
            words.append(rotate(words[index - 3] ^ words[index - 8] ^ words[index - 14] ^ words[index - 16], by: 1))
        }
        var (a, b, c, d, e) = (state[0], state[1], state[2], state[3], state[4])
        for (index, word) in words.enumerated() {
            let (mixed, constant): (UInt32, UInt32) =
                switch index {
                case ..<20: (b & c | ~b & d, 0x5A82_7999)
                case ..<40: (b ^ c ^ d, 0x6ED9_EBA1)
                case ..<60: (b & c | b & d | c & d, 0x8F1B_BCDC)
                default: (b ^ c ^ d, 0xCA62_C1D6)
                }
            let next = rotate(a, by: 5) &+ mixed &+ e &+ constant &+ word
            (a, b, c, d, e) = (next, a, rotate(b, by: 30), c, d)
        }
        for (index, value) in [a, b, c, d, e].enumerated() { state[index] &+= value }
    }

    private static func rotate(_ value: UInt32, by count: UInt32) -> UInt32 {
        value << count | value >> (32 - count)
    }
}
