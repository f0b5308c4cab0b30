/// The names of secret values, for logs and cassettes.
///
/// A name is compared as a whole, in any case, without `_` and `-`, and without a leading `X-`: `access_token`,
/// `accessToken` and `X-Access-Token` are one name.
package struct SecretNames: Sendable {
    private let names: Set<String>
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

    /// Returns `true` if the value of this name is a secret in a query or a form. Of a name such as `user[password]`,
    /// the last part counts.
    package func contains(item name: String) -> Bool {
        let part = name.hasSuffix("]") ? name.dropLast().split(separator: "[").last.map(String.init) : nil
        return items.contains(Self.normalized(part ?? name))
    }

    private static func normalized(_ name: String) -> String {
        let lowercased = name.lowercased()
        return (lowercased.hasPrefix("x-") ? lowercased.dropFirst(2) : lowercased[...]).filter {
            $0 != "_" && $0 != "-"
        }
    }
}

extension SecretNames {
    /// The names that are hidden by default, among them those of OAuth (RFC 6749, RFC 7521, RFC 7636, RFC 8628).
    package static let defaultNames: Set<String> = [
        "password", "passwd", "pwd", "passphrase", "passcode", "new_password", "old_password", "current_password",
        "password_confirmation", "user_password", "db_password", "pin", "secret", "secret_id", "client_secret",
        "shared_secret", "token", "access_token", "refresh_token", "id_token", "auth_token", "session_token",
        "bearer_token", "csrf_token", "xsrf_token", "private_token", "github_token", "vault_token",
        "shopify_access_token", "device_token", "subject_token", "actor_token", "security_token", "amz_security_token",
        "amz_signature", "jwt", "credential", "credentials", "authorization", "proxy_authorization", "cookie",
        "cookies", "set_cookie", "session_id", "jsessionid", "auth_code", "device_code", "client_assertion",
        "code_verifier", "signature", "api_key", "goog_api_key", "private_key", "access_key", "secret_key",
        "secret_access_key", "aws_secret_access_key", "account_key", "encryption_key", "master_key", "signing_key",
        "subscription_key", "ocp_apim_subscription_key", "otp", "totp", "one_time_code", "mfa_code", "2fa_code",
        "recovery_code", "backup_code", "security_code", "verification_code", "cvv", "cvc", "card_number", "ssn",
    ]

    /// The names that are hidden by default in queries and forms alone.
    package static let defaultItems: Set<String> = ["key", "sig", "auth", "sid", "pass", "assertion", "code"]
}

extension SecretNames {
    /// Returns an encoded query or form (WHATWG URL, section 5) with the values of secret names replaced.
    package func redacted(form: String, hiddenAs word: String = "***") -> String {
        let items = form.split(separator: "&", omittingEmptySubsequences: false).map { item -> String in
            guard let mark = item.firstIndex(of: "=") else { return String(item) }
            let name = String(item[..<mark]).replacing("+", with: " ")
            return contains(item: name.removingPercentEncoding ?? name) ? "\(item[...mark])\(word)" : String(item)
        }
        return items.joined(separator: "&")
    }
}
