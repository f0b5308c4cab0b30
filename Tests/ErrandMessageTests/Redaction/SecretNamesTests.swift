import Errand
import Testing

struct `The names of secrets` {
    private let names = SecretNames()

    @Test(arguments: [
        "password", "PASSWORD", "Pass_Word", "access_token", "accessToken", "Access-Token", "ACCESSTOKEN", "X-API-Key",
        "X-Access-Token", "Private-Token",
        "apiKey", "Set-Cookie", "JSESSIONID", "X-Amz-Signature", "client_assertion", "code_verifier", "pin",
    ])
    func `a secret name is recognized in any case and with any separator`(_ name: String) {
        #expect(names.contains(name))
        #expect(names.contains(item: name))
    }

    /// The items of signed URLs of clouds: AWS, Google, Azure, CloudFront, Alibaba, Tencent, Huawei and Volcengine.
    @Test(arguments: [
        "X-Amz-Signature", "X-Amz-Credential", "X-Amz-Security-Token", "Signature", "AWSAccessKeyId",
        "X-Goog-Signature", "X-Goog-Credential", "X-Goog-Security-Token", "GoogleAccessId", "sig", "Policy",
        "Key-Pair-Id", "OSSAccessKeyId", "x-oss-signature", "x-oss-credential", "x-oss-security-token",
        "security-token",
        "q-signature", "q-ak", "x-cos-security-token", "AccessKeyId", "x-obs-security-token", "X-Tos-Signature",
        "X-Tos-Credential", "X-Tos-Security-Token",
    ])
    func `the signature and the key of a signed URL are secret`(_ name: String) {
        #expect(names.contains(item: name))
    }

    @Test(arguments: [
        "X-Amz-Date", "X-Amz-Expires", "X-Amz-Algorithm", "X-Goog-SignedHeaders", "Expires", "se", "sp", "sv",
        "q-key-time",
    ])
    func `the other items of a signed URL are not secret`(_ name: String) {
        #expect(!names.contains(item: name))
    }

    @Test(arguments: [
        "max_tokens", "token_type", "token_endpoint", "api_key_id", "has_password", "passwordless", "tokenizer", "spin",
        "public_key", "keyboard", "", "_", "2",
    ])
    func `a name that only contains a secret name is not secret`(_ name: String) {
        #expect(!names.contains(name))
        #expect(!names.contains(item: name))
    }

    @Test(arguments: ["key", "Sig", "auth", "sid", "pass", "assertion", "code"])
    func `short secret names count only in queries and forms`(_ name: String) {
        #expect(names.contains(item: name))
        #expect(!names.contains(name))
    }

    @Test(arguments: [
        ("user[password]", true), ("user[password][]", true), ("password[]", true), ("user[password][0]", false),
        ("password[user]", false), ("[]", false),
    ])
    func `the last part of a name with brackets counts`(_ name: String, _ isSecret: Bool) {
        #expect(names.contains(item: name) == isSecret)
    }

    @Test func `user-defined secret names can have digits and any script`() {
        let names = SecretNames(["iban", "address2", "Geheim-Nummer", "пароль"], items: ["app_id"])
        for name in ["IBAN", "address_2", "geheimNummer", "Пароль"] { #expect(names.contains(name)) }
        for name in ["address", "token", "nummer"] { #expect(!names.contains(name)) }
        #expect(names.contains(item: "appId") && !names.contains(item: "key"))
        #expect(!SecretNames(["", "-"], items: [""]).contains(item: ""))
        #expect(!SecretNames(["", "-"], items: [""]).contains("_"))
    }

    @Test(arguments: [
        ("q=1&token=planted&a", "q=1&token=***&a"), ("pass%77ord=planted&b=", "pass%77ord=***&b="),
        ("user%5Btoken%5D=planted&user[pin]=1", "user%5Btoken%5D=***&user[pin]=***"), ("token", "token"), ("", ""),
        // A separator with a combining accent after it.
        ("a=1&password=\u{301}planted", "a=1&password=***"), ("a=1&\u{301}=2&pin=planted", "a=1&\u{301}=2&pin=***"),
        ("a+b=1&one+time+code=planted", "a+b=1&one+time+code=planted"), ("%ZZ=1&key=planted", "%ZZ=1&key=***"),
    ])
    func `the values of secret names in a form are replaced`(_ form: String, _ expected: String) {
        #expect(names.redacted(form: form) == expected)
    }
}
