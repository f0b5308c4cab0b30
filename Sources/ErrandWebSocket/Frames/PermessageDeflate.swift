import CCompression
import Errand

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

    func keepsContext(of role: WebSocketRole) -> Bool {
        role == .client ? !clientNoContextTakeover : !serverNoContextTakeover
    }

    func keepsContext(ofOther role: WebSocketRole) -> Bool {
        keepsContext(of: role == .client ? .server : .client)
    }

    func windowBits(of role: WebSocketRole) -> Int {
        role == .client ? clientMaxWindowBits : serverMaxWindowBits
    }

    /// The value for `Sec-WebSocket-Extensions`.
    package var field: String {
        var parts = ["permessage-deflate"]
        if serverNoContextTakeover { parts.append("server_no_context_takeover") }
        if clientNoContextTakeover { parts.append("client_no_context_takeover") }
        if serverMaxWindowBits < 15 { parts.append("server_max_window_bits=\(serverMaxWindowBits)") }
        if clientMaxWindowBits < 15 { parts.append("client_max_window_bits=\(clientMaxWindowBits)") }
        return parts.joined(separator: "; ")
    }
}

/// One extension of a `Sec-WebSocket-Extensions` header field (RFC 6455, section 9.1).
package struct WebSocketExtension: Sendable {
    var name: String
    /// The parameters in order; the value is `nil` if it is missing.
    var parameters: [(name: String, value: String?)]

    /// Parses the values of the header fields; returns `nil` if they are malformed.
    package static func list(in values: [String]) -> [WebSocketExtension]? {
        var list: [WebSocketExtension] = []
        // A quoted value must be a token, too, so that it contains no separator.
        for item in values.flatMap({ $0.split(separator: ",", omittingEmptySubsequences: false) }) {
            let parts = item.split(separator: ";", omittingEmptySubsequences: false).map(\.trimmed)
            guard let name = parts.first else { return nil }
            // RFC 9110, section 5.6.1, allows empty list elements.
            if name.isEmpty, parts.count == 1 { continue }
            guard name.isHTTPToken else { return nil }
            var found = WebSocketExtension(name: name.asciiLowercased, parameters: [])
            for part in parts.dropFirst() {
                let pair = part.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false).map(\.trimmed)
                guard pair[0].isHTTPToken else { return nil }
                var value = pair.count > 1 ? pair[1] : nil
                if let quoted = value, quoted.count >= 2, quoted.hasPrefix("\""), quoted.hasSuffix("\"") {
                    value = String(quoted.dropFirst().dropLast())
                }
                if let value, !value.isHTTPToken { return nil }
                found.parameters.append((pair[0].asciiLowercased, value))
            }
            list.append(found)
        }
        return list
    }
}

extension WebSocketExtension {
    /// Returns the parameters of permessage-deflate; those that are flags have the value 1. Returns `nil` for another
    /// extension, or if a parameter is unknown, repeated or invalid. An offer must then be declined, and a response
    /// fails the handshake (RFC 7692, section 7.1).
    ///
    /// - Parameter isOffer: Whether `client_max_window_bits` may lack a value, which then is 15, the maximum.
    package func deflateParameters(isOffer: Bool) -> [String: Int]? {
        guard name == "permessage-deflate" else { return nil }
        var found: [String: Int] = [:]
        for (name, value) in parameters {
            guard found[name] == nil else { return nil }
            switch (name, value) {
            case ("server_no_context_takeover", nil), ("client_no_context_takeover", nil):
                found[name] = 1
            case ("client_max_window_bits", nil) where isOffer:
                found[name] = 15
            case ("server_max_window_bits", let value?), ("client_max_window_bits", let value?):
                guard let bits = Self.windowBits(value) else { return nil }
                found[name] = bits
            default:
                return nil
            }
        }
        return found
    }

    /// Parses a number from 8 to 15 without leading zeros.
    private static func windowBits(_ text: String) -> Int? {
        guard text.utf8.allSatisfy({ 0x30...0x39 ~= $0 }), text.utf8.first != 0x30, let bits = Int(text) else {
            return nil
        }
        return 8...15 ~= bits ? bits : nil
    }
}

extension Substring {
    fileprivate var trimmed: String { trimmingCharacters(in: .whitespaces) }
}

/// The result of the negotiation.
package struct WebSocketAgreement: Hashable, Sendable {
    package var subprotocol: String?
    package var compression: PermessageDeflate?

    package init(subprotocol: String? = nil, compression: PermessageDeflate? = nil) {
        self.subprotocol = subprotocol
        self.compression = compression
    }
}

/// An incremental decompressor of the messages of a connection (RFC 7692, section 7.2.2).
final class MessageInflater {
    private let keepsContext: Bool
    private var decoder: OpaquePointer?
    private var input: [UInt8] = []
    /// The number of bytes of `input` that are decompressed.
    private var used = 0
    /// Whether there may be more output, even without more input, since `output` was full.
    private var hasMore = false
    private let output = UnsafeMutableBufferPointer<UInt8>.allocate(capacity: 65_536)

    /// - Parameter keepsContext: Whether a message may refer to earlier ones.
    init(keepsContext: Bool) {
        self.keepsContext = keepsContext
    }

    deinit {
        if let decoder { cdecoder_destroy(decoder) }
        output.deallocate()
    }

    func append(_ bytes: [UInt8]) {
        if used == input.count {
            input = bytes
        } else {
            input.removeFirst(used)
            input.append(contentsOf: bytes)
        }
        used = 0
    }

    /// Returns the next decompressed bytes of the message, at most 64 KiB; `nil` if more input is needed.
    func next() throws(WebSocketViolation) -> [UInt8]? {
        while used < input.count || hasMore {
            guard let decoder = decoder ?? cdecoder_create(CDECODER_RAW_DEFLATE) else {
                throw WebSocketViolation(code: .internalError, reason: "not enough memory to decompress a message")
            }
            self.decoder = decoder
            let expanded = try step(decoder)
            if !expanded.isEmpty { return expanded }
        }
        return nil
    }

    /// Ends a message, after its tail was added.
    func endMessage() {
        hasMore = false
        guard !keepsContext, let decoder else { return }
        if cdecoder_reset(decoder) { return }
        // The next message gets a new decoder.
        cdecoder_destroy(decoder)
        self.decoder = nil
    }

    private func step(_ decoder: OpaquePointer) throws(WebSocketViolation) -> [UInt8] {
        var to = output.baseAddress
        var room = output.count
        var left = input.count - used
        let result = input.withUnsafeBufferPointer { input in
            var from = input.baseAddress.map { $0 + used }
            return cdecoder_decode(decoder, &from, &left, &to, &room)
        }
        used = input.count - left
        guard result != CDECODER_BROKEN else { throw .badContent("a compressed message is broken") }
        hasMore = room == 0
        // Blocks may follow even after one that is marked as the last (section 7.2.3.4).
        if result == CDECODER_END {
            hasMore = false
            guard cdecoder_continue(decoder) else { throw .badContent("a compressed message is broken") }
        }
        return Array(output[..<(output.count - room)])
    }
}
