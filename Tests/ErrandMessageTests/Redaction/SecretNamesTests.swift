import Testing

@testable import Errand

struct `The names of secrets` {
    private let names = SecretNames()

    @Test(arguments: [
        "password_confirmation", "passwordRepeat", "password2", "Password_1", "PASSWORD", "userpassword", "dbpwd",
        "pass_word", "cvv2", "otp_code", "otpCode", "2fa_code", "token_value", "tokenvalue", "token2", "refresh_tokens",
        "X-Auth-Tokens", "ACCESSTOKEN", "githubtoken", "user[Access-Token]", "user.token", "idToken",
        "AWSSecretAccessKey",
        "client_assertion", "code_verifier", "apikey", "x-api-keys", "JSESSIONID", "Set-Cookie", "X-Amz-Signature",
        "pin",
        "PIN", "newPin", "cardpin", "pin_code", "userOTPs", "password_reset_token", "token_type_secret",
    ])
    func `names with a secret word are secret`(_ name: String) {
        #expect(names.contains(name))
        #expect(names.contains(item: name))
    }

    @Test(arguments: [
        "max_tokens", "maxTokens", "maxtokens", "tokens_used", "prompt_tokens_details", "promptTokenCount",
        "x-ratelimit-remaining-tokens", "token_type", "tokentype", "token_endpoint", "client_assertion_type",
        "api_key_id",
        "has_password", "password_required", "passwordless", "tokenizer", "secretary", "pinned", "spin", "spinCount",
        "hairpin", "shipping", "passenger", "passport_number", "author", "authority", "keyboard", "public_key",
        "monkey",
        "", "_", "2",
    ])
    func `harmless names are not secret`(_ name: String) {
        #expect(!names.contains(name))
        #expect(!names.contains(item: name))
    }

    @Test(arguments: ["key", "Sig", "auth", "sid", "pass", "assertion", "code"])
    func `short secret names match only whole names of query and form items`(_ name: String) {
        #expect(names.contains(item: name))
        #expect(!names.contains(name))
        #expect(!names.contains(item: "\(name)_x"))
    }

    @Test func `a plural name with a number is not secret`() {
        #expect(names.contains("tokens") && !names.contains("tokens", number: true))
        #expect(names.contains("pin", number: true) && names.contains(item: "pin", number: true))
    }

    /// A comparison that searched the rest of the name for each word would take minutes.
    @Test func `a name of many words is compared`() {
        let words = String(repeating: "pin_", count: 50_000)
        #expect(!names.contains(words + "type"))
        #expect(names.contains("type_" + words))
        #expect(!names.contains(String(repeating: "tokens_", count: 50_000) + "max"))
    }

    @Test func `user-defined secret names can have digits and any script`() {
        let names = SecretNames(["iban", "address2", "Geheim-Nummer", "пароль"], items: ["app_id"])
        for name in ["account_iban", "IBANs", "address2", "home_address_2", "geheimNummer", "Пароль"] {
            #expect(names.contains(name))
        }
        for name in ["address", "token", "nummer"] { #expect(!names.contains(name)) }
        #expect(names.contains(item: "appId") && !names.contains(item: "key"))
        #expect(!SecretNames(["", "-"], items: [""]).contains(item: ""))
    }
}

struct `The words of a name` {
    @Test(arguments: [
        ("access_token", ["access", "token"]), ("accessToken", ["access", "token"]), ("APIKey", ["api", "key"]),
        ("user[Access-Token]", ["user", "access", "token"]), ("password2", ["password", "2"]),
        ("2fa", ["2", "fa"]), ("SPIN", ["spin"]), ("__x--", ["x"]), ("", []), ("größeÄndern", ["größe", "ändern"]),
    ])
    func `the words of a name end at separators, digits and capitals`(_ name: String, _ words: [String]) {
        #expect(NameWords(name).words == words)
    }
}
