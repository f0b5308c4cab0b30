import Errand

/// One extension of a `Sec-WebSocket-Extensions` header field (RFC 6455, section 9.1).
package struct WebSocketExtension: Sendable {
    /// The name in lowercase.
    var name: String
    /// The parameters in order, with lowercase names; a value is `nil` if it is missing.
    var parameters: [(name: String, value: String?)]

    /// Parses the values of the header fields; returns `nil` if they are malformed.
    package static func list(in values: [String]) -> [WebSocketExtension]? {
        var list: [WebSocketExtension] = []
        // The separators are found without parsing quotes: a quoted value must be a token, which contains no separator.
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
    /// Returns the parameters of permessage-deflate by name; flags have the value 1. Returns `nil` for another
    /// extension, or if a parameter is unknown, repeated or invalid. The server must then decline the offer, or the
    /// client must fail the handshake (RFC 7692, section 7.1).
    ///
    /// - Parameter isOffer: Whether this is the client's offer, in which `client_max_window_bits` may lack a value. It
    ///   is then 15, the maximum.
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
        guard text.utf8.allSatisfy(\.isDigit), text.utf8.first != 0x30, let bits = Int(text) else {
            return nil
        }
        return 8...15 ~= bits ? bits : nil
    }
}

extension Substring {
    fileprivate var trimmed: String { trimmingCharacters(in: .whitespaces) }
}
