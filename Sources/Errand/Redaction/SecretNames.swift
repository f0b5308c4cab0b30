/// The names of secret values, and the rule by which logs and cassettes compare names.
///
/// A name is compared by its words: `access_token`, `accessToken`, `ACCESSTOKEN` and `user[Access-Token]` have the
/// words "access" and "token". A name is secret if one of these names is among its words, in the singular or plural:
/// `token` hides `token_value`, and `pin` hides `pin2` but not `spin`. Three kinds of names are not hidden:
///
/// - A property of the secret: `token_type`, `password_length`, `api_key_id`, `has_password`.
/// - A count of tokens: `max_tokens`, `tokens_used`.
/// - A plural with a number, which is a count too: `"cookies": 3`.
package struct SecretNames: Sendable {
    private let names: Set<String>
    private let items: Set<String>
    /// The number of characters of the longest name, in the plural.
    private let longest: Int
    /// The names by their first byte.
    private let byFirstByte: [UInt8: [[UInt8]]]

    /// - Parameters:
    ///   - names: The names that are secret if they are among the words of a name.
    ///   - items: The names that are secret only as the whole name of a query item or form field.
    package init(_ names: Set<String> = SecretNames.defaultNames, items: Set<String> = SecretNames.defaultItems) {
        self.names = Set(names.map { NameWords($0).joined() }).subtracting([""])
        self.items = Set(items.map { NameWords($0).joined() }).subtracting([""])
        longest = (self.names.map(\.count).max() ?? 0) + 1
        byFirstByte = Dictionary(grouping: self.names.map { Array($0.utf8) }, by: \.[0])
    }

    /// Returns `true` if the value of this name is a secret, in JSON, a header field or other text.
    ///
    /// - Parameter isNumber: Whether the value is a number.
    package func contains(_ name: String, number isNumber: Bool = false) -> Bool {
        let words = NameWords(name).words.flatMap(parts(of:))
        if let first = words.first, words.count > 1, Self.predicates.contains(first) { return false }
        let lastProperty = words.lastIndex(where: Self.properties.contains) ?? -1
        let firstQuantity = words.firstIndex(where: Self.quantities.contains) ?? words.count
        let lastQuantity = words.lastIndex(where: Self.quantities.contains) ?? -1
        for start in words.indices {
            var joined = ""
            for end in start..<words.count {
                joined += words[end]
                if joined.count > longest { break }
                guard isSecret(joined) else { continue }
                let isPlural = !names.contains(joined)
                if isPlural && isNumber || lastProperty > end { continue }
                if joined == "tokens", firstQuantity < start || lastQuantity > end { continue }
                return true
            }
        }
        return false
    }

    /// Returns `true` if the value of this name is a secret in a query or a form.
    package func contains(item name: String, number isNumber: Bool = false) -> Bool {
        items.contains(NameWords(name).joined()) || contains(name, number: isNumber)
    }

    private func isSecret(_ word: String) -> Bool {
        names.contains(word) || word.hasSuffix("s") && names.contains(String(word.dropLast()))
    }

    /// Whether a name is anywhere in a word: a quick check that most words fail.
    private func includesName(_ word: String) -> Bool {
        let bytes = Array(word.utf8)
        return bytes.indices.contains { start in
            byFirstByte[bytes[start]]?.contains { bytes[start...].starts(with: $0) } ?? false
        }
    }

    /// The parts of a word that has no separators, such as `accesstoken`; the word itself if no part is secret.
    private func parts(of word: String) -> [String] {
        guard includesName(word), !isSecret(word) else { return [word] }
        if let parts = knownParts(of: word) { return parts }
        // After an unknown word, only long names are recognized, because many words end in a short name such as "pin".
        for length in stride(from: min(longest, word.count - 1), through: 5, by: -1) {
            let end = String(word.suffix(length))
            if isSecret(end) { return [String(word.dropLast(length)), end] }
        }
        return [word]
    }

    /// The fewest known words that the word consists of, if a secret is among them.
    private func knownParts(of word: String) -> [String]? {
        let letters = Array(word)
        guard letters.count <= 64 else { return nil }
        var parts: [[String]?] = Array(repeating: nil, count: letters.count) + [[]]
        for start in letters.indices.reversed() {
            for end in start + 1...min(letters.count, start + max(longest, 12)) {
                let part = String(letters[start..<end])
                guard let rest = parts[end], rest.count + 1 < parts[start]?.count ?? .max else { continue }
                if isSecret(part) || Self.knownWords.contains(part) { parts[start] = [part] + rest }
            }
        }
        return parts[0].flatMap { $0.contains(where: isSecret) ? $0 : nil }
    }
}

extension SecretNames {
    /// The names that are hidden by default, among them those of OAuth (RFC 6749, RFC 7521, RFC 7636, RFC 8628).
    package static let defaultNames: Set<String> = [
        "password", "passwd", "pwd", "passphrase", "passcode", "pin", "secret", "secret_id", "token", "jwt",
        "credential",
        "cookie", "session_id", "authorization", "auth_code", "device_code", "client_assertion", "code_verifier",
        "signature",
        "api_key", "private_key", "access_key", "account_key", "encryption_key", "master_key", "signing_key",
        "subscription_key", "otp", "totp", "one_time_code", "mfa_code", "2fa_code", "recovery_code", "backup_code",
        "security_code", "verification_code", "cvv", "cvc", "card_number", "ssn",
    ]

    /// The names that are hidden by default in queries and forms if they are the whole name of an item or field.
    package static let defaultItems: Set<String> = ["key", "sig", "auth", "sid", "pass", "assertion", "code"]

    /// The words after a secret's name that make it the name of a property, such as `token_type`.
    private static let properties: Set<String> = [
        "age", "alg", "algorithm", "algorithms", "budget", "changed", "consent", "count", "counts", "created", "domain",
        "enabled", "endpoint", "expired", "expires", "expiration", "expiry", "format", "id", "ids", "index", "length",
        "lifetime", "limit", "limits", "method", "methods", "name", "names", "path", "per", "policy", "remaining",
        "required", "size", "status", "strength", "supported", "ttl", "type", "types", "updated", "uri", "url", "usage",
        "used", "version",
    ]

    /// The words before a secret's name that make it the name of a condition, such as `has_password`.
    private static let predicates: Set<String> = ["has", "is", "needs", "requires"]

    /// The words next to "tokens" that make it a count of text tokens, such as `max_tokens`.
    private static let quantities: Set<String> = [
        "audio", "available", "average", "avg", "billed", "budget", "cache", "cached", "completion", "consumed",
        "input",
        "limit", "max", "maximum", "mean", "min", "minimum", "n", "num", "number", "output", "prediction", "prompt",
        "reasoning", "remaining", "sum", "text", "thinking", "total", "unused", "used",
    ]

    /// Other words that are joined with a secret's name without a separator, such as `accesstoken`.
    private static let companions: Set<String> = [
        "access", "account", "admin", "again", "app", "auth", "bot", "card", "client", "code", "confirm",
        "confirmation",
        "current", "data", "db", "email", "hash", "key", "login", "my", "new", "old", "refresh", "repeat", "retype",
        "root",
        "sms", "string", "user", "value", "verify",
    ]

    private static let knownWords = properties.union(predicates).union(quantities).union(companions).subtracting(["n"])
}
