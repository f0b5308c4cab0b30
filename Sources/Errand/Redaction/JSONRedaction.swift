/// Replaces the values of secret names in JSON text, and keeps everything else: whitespace, the keys, and the structure
/// of a secret value, whose strings and numbers are replaced.
///
/// It reads the text itself: a log often contains only the beginning of a document, which a parser rejects. It stops
/// where no JSON token follows, because it cannot find secrets in the rest.
package struct JSONRedaction {
    private let text: [UInt8]
    private let names: SecretNames
    /// The replacements of a secret string, with quotes, and of a secret number.
    private let hidden: (string: [UInt8], number: [UInt8])
    private var position = 0
    /// The redacted text of the bytes before `position`.
    private var output: [UInt8] = []

    /// - Parameters:
    ///   - word: The text that replaces a string. It must not need escaping.
    ///   - number: The JSON value that replaces a number.
    package init(_ text: [UInt8], _ names: SecretNames, hiddenAs word: String = "***", number: String = #""***""#) {
        self.text = text
        self.names = names
        hidden = (Array("\"\(word)\"".utf8), Array(number.utf8))
        output.reserveCapacity(text.count)
    }

    /// Returns the redacted text, and whether it covers the whole input; `false` also if the input ends before a
    /// secret value does.
    package mutating func redacted() -> (bytes: [UInt8], isWhole: Bool) {
        // The number of open brackets of the secret value that is being copied; `nil` outside of a secret value. At 0,
        // the value is expected, or has just ended.
        var depth: Int?
        while true {
            copyWhitespace()
            guard position < text.count else { return (output, depth == nil) }
            let byte = text[position]
            switch byte {
            case UInt8(ascii: "\""):
                guard let end = endOfString() else { return (output, false) }
                let raw = text[position..<end]
                position = end
                // At depth 0, the string is the secret value itself, and not a key.
                if depth != 0, isKey {
                    output += raw
                    copyWhitespace()
                    copyByte()
                    if depth == nil, names.contains(Self.value(of: raw)) { depth = 0 }
                    continue
                }
                output += depth == nil ? Array(raw) : hidden.string
            case UInt8(ascii: "{"), UInt8(ascii: "["):
                copyByte()
                depth = depth.map { $0 + 1 }
                continue
            case UInt8(ascii: "}"), UInt8(ascii: "]"):
                // At depth 0, the bracket ends the surrounding object, and the secret key has no value.
                if let level = depth { depth = level > 0 ? level - 1 : nil }
                copyByte()
            case UInt8(ascii: ","):
                copyByte()
                if depth == 0 { depth = nil }
                continue
            default:
                guard copyWord(isHidden: depth != nil) else { return (output, false) }
            }
            // The secret value has ended.
            if depth == 0 { depth = nil }
        }
    }

    /// Whether the next character other than whitespace is a colon.
    private var isKey: Bool { text[position...].first { !Self.whitespace.contains($0) } == UInt8(ascii: ":") }

    /// Copies a number, `true`, `false` or `null`, with a hidden number replaced. Returns `false` if none is next.
    private mutating func copyWord(isHidden: Bool) -> Bool {
        let end = text[position...].firstIndex { !Self.wordCharacters.contains($0) } ?? text.count
        let word = Array(text[position..<end])
        let isNumber = word.first.map { $0.isDigit || $0 == UInt8(ascii: "-") } ?? false
        // The text may end within a word.
        guard isNumber || Self.words.contains(word) else { return false }
        output += isNumber && isHidden ? hidden.number : word
        position = end
        return true
    }

    private mutating func copyWhitespace() {
        while position < text.count, Self.whitespace.contains(text[position]) { copyByte() }
    }

    private mutating func copyByte() {
        output.append(text[position])
        position += 1
    }

    /// Returns the position after the closing quote of the string that begins here; `nil` if it has no closing quote.
    private func endOfString() -> Int? {
        var index = position + 1
        while index < text.count {
            switch text[index] {
            case UInt8(ascii: "\\"): index += 2
            case UInt8(ascii: "\""): return index + 1
            default: index += 1
            }
        }
        return nil
    }

    /// Returns the content of a string without its quotes and escapes.
    private static func value(of raw: ArraySlice<UInt8>) -> String {
        if raw.contains(UInt8(ascii: "\\")),
            let decoded = try? FastJSONDecoder().decode([String].self, from: Data([0x5B] + raw + [0x5D]))
        {
            return decoded[0]
        }
        return String(decoding: raw.dropFirst().dropLast(), as: UTF8.self)
    }

    private static let whitespace: Set<UInt8> = [0x20, 0x09, 0x0A, 0x0D]
    private static let words = ["true", "false", "null"].map { Array($0.utf8) }
    private static let wordCharacters = Set("truefalsenull0123456789+-.eE".utf8)
}

/// The names of secret values, for logs and cassettes.
///
/// A name is compared as a whole, in any case, without `_` and `-`, and without a leading `X-`: `access_token`,
/// `accessToken` and `X-Access-Token` are one name.
package struct SecretNames: Sendable {
    private let names: Set<String>
    /// The names that are secret in a query or a form, which include ``names``.
    private let items: Set<String>

    /// - Parameters:
    ///   - names: The names that are secret anywhere.
    ///   - items: The names that are secret only in a query or a form.
    package init(_ names: Set<String> = SecretNames.defaultNames, items: Set<String> = SecretNames.defaultItems) {
        self.names = Set(names.map(Self.normalized)).subtracting([""])
        self.items = self.names.union(items.map(Self.normalized)).subtracting([""])
    }

    /// Returns `true` if the value of this name is a secret, in JSON or a header field.
    package func contains(_ name: String) -> Bool { names.contains(Self.normalized(name)) }

    /// Returns `true` if the value of this name is a secret in a query or a form. Of a name such as `user[password]` or
    /// `user[password][]`, the last part counts, and the whole name.
    package func contains(item name: String) -> Bool {
        let part = name.split { $0 == "[" || $0 == "]" }.last.map(String.init) ?? name
        return items.contains(Self.normalized(part)) || items.contains(Self.normalized(name))
    }

    private static func normalized(_ name: String) -> String {
        let lowercased = name.lowercased()
        return (lowercased.hasPrefix("x-") ? lowercased.dropFirst(2) : lowercased[...]).filter {
            $0 != "_" && $0 != "-"
        }
    }
}

extension SecretNames {
    /// The names that are hidden by default, among them those of OAuth (RFC 6749, 7521, 7636, 8628 and 8693).
    package static let defaultNames: Set<String> = [
        "password", "passwd", "pwd", "passphrase", "passcode", "new_password", "old_password", "current_password",
        "password_confirmation", "user_password", "db_password", "pin", "secret", "secret_id", "client_secret",
        "shared_secret", "token", "access_token", "refresh_token", "id_token", "auth_token", "session_token",
        "bearer_token", "csrf_token", "xsrf_token", "private_token", "github_token", "vault_token",
        "shopify_access_token", "device_token", "subject_token", "actor_token", "security_token", "amz_security_token",
        "amz_signature", "amz_credential", "goog_signature", "goog_credential", "goog_security_token", "oss_signature",
        "oss_credential", "oss_security_token", "cos_security_token", "obs_security_token", "tos_signature",
        "tos_credential", "tos_security_token", "q_signature", "jwt", "credential", "credentials", "authorization",
        "proxy_authorization", "cookie",
        "cookies", "set_cookie", "session_id", "jsessionid", "auth_code", "device_code", "client_assertion",
        "code_verifier", "signature", "api_key", "goog_api_key", "private_key", "access_key", "secret_key",
        "secret_access_key", "aws_secret_access_key", "account_key", "encryption_key", "master_key", "signing_key",
        "subscription_key", "ocp_apim_subscription_key", "otp", "totp", "one_time_code", "mfa_code", "2fa_code",
        "recovery_code", "backup_code", "security_code", "verification_code", "cvv", "cvc", "card_number", "ssn",
    ]

    /// The names that are hidden by default in queries and forms alone, among them the parts of signed URLs that name
    /// the key or what it allows.
    package static let defaultItems: Set<String> = [
        "key", "sig", "auth", "sid", "pass", "assertion", "code", "policy", "key_pair_id", "access_key_id",
        "aws_access_key_id", "oss_access_key_id", "google_access_id", "q_ak",
    ]

    /// Returns an encoded query or form (WHATWG URL, section 5) with the values of secret names replaced.
    package func redacted(form: String, hiddenAs word: String = "***") -> String {
        let items = form.encodedFormItems.map { name, value in
            value.map { "\(name)=\(contains(item: name.formDecoded) ? word : $0)" } ?? name
        }
        return items.joined(separator: "&")
    }
}
