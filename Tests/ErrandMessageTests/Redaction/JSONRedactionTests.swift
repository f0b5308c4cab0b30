import Testing

@testable import Errand

struct `JSON in a log` {
    fileprivate func shown(_ text: String, hiding keys: Set<String> = ["password", "token", "api_key"]) -> String {
        let (bytes, isWhole) = JSONRedaction(SecretNames(keys)).redacted(Array(text.utf8))
        return String(decoding: bytes, as: UTF8.self) + (isWhole ? "" : "|")
    }

    @Test(arguments: [
        (#"{"a": 1, "b": [true, null, -1.5e3, "x"]}"#, #"{"a":1,"b":[true,null,-1.5e3,"x"]}"#),
        ("{\n  \"a\" : \"b\"\n}\n", #"{"a":"b"}"#), (#""text""#, #""text""#), ("", ""),
        ("{\"a\":1}\n{\"a\":2}\n", #"{"a":1}{"a":2}"#),
    ])
    func `a JSON document without secrets changes only in its white space`(_ text: String, _ expected: String) {
        #expect(shown(text) == expected)
    }

    @Test(arguments: [
        #"{"password": "hunter2", "b": 1}"#, #"{"password": hunter2, "b": 1}"#, #"{"password": 2.5, "b": 1}"#,
        #"{"password": {"x": ["hunter2", "}"], "y": {"z": 1}} , "b": 1}"#, #"{"password": ["hunter2", [1]], "b": 1}"#,
        #"{"password": "a\"hunter2\\", "b": 1}"#, #"{"password" : null,"b": 1}"#,
    ])
    func `the whole value of a hidden key is redacted`(_ text: String) {
        #expect(shown(text) == #"{"password":"***","b":1}"#)
    }

    @Test(arguments: [
        "password", "Password", "PASSWORD", "oldPassword", "user_password", "passwords", "accessToken", "refresh-token",
        "apiKey", "API_KEY", "x-api-keys", #"pass\u0077ord"#, "user.token",
    ])
    func `a hidden key is recognized in any spelling`(_ key: String) {
        #expect(shown("{\"\(key)\":\"hunter2\"}") == "{\"\(key)\":\"***\"}")
    }

    @Test(arguments: ["passwordless", "tokenizer", "tok", "name"])
    func `the values of other keys are not redacted`(_ key: String) {
        #expect(shown("{\"\(key)\":\"x\"}") == "{\"\(key)\":\"x\"}")
    }

    @Test func `a number with a plural key is a count and is not redacted`() {
        let usage = #"{"tokens":57,"passwords":-1,"total_tokens":"57"}"#
        #expect(shown(usage) == usage)
        #expect(shown(#"{"tokens":["x"],"token":57}"#) == #"{"tokens":"***","token":"***"}"#)
    }

    @Test func `hidden keys are redacted at every depth`() {
        #expect(
            shown(#"[{"user":{"token":"hunter2","id":7}},{"token":"hunter2"}]"#)
                == #"[{"user":{"token":"***","id":7}},{"token":"***"}]"#)
    }

    @Test(arguments: [
        #"{"a":1,"password":"hunt"#, #"{"a":1,"password":["hunter2","#, #"{"a":1,"password":"#,
        #"{"a":1,"password": {"b":"hunter2""#,
    ])
    func `a document that is cut off in a hidden value shows nothing of the value`(_ text: String) {
        #expect(shown(text) == #"{"a":1,"password":"***"|"#)
    }

    @Test(arguments: [
        "{'password':'hunter2'}", "{password:hunter2}", "password=hunter2", "<p>hunter2</p>", "{\"a\":hunter2}",
    ])
    func `invalid JSON is hidden from the error on`(_ text: String) {
        #expect(!shown(text).contains("hunter2"))
        #expect(shown(text).hasSuffix("|"))
    }

    @Test func `a JSON document inside a string is redacted if it has a hidden key`() {
        #expect(
            shown(#"{"payload":"{\"password\":\"hunter2\"}","b":"say \"hi\""}"#)
                == #"{"payload":"***","b":"say \"hi\""}"#)
    }
}

extension `JSON in a log` {
    @Test(arguments: [
        "https://a.example/?access_token=hunter2", "access_token=hunter2", "?q=1&API%5FKEY=hunter2",
        "/login?to=%2Fx%3Fp%61ssword%3Dhunter2", "x%3Fpassword%3Dhunter2",
    ])
    func `a URL or form inside a string is redacted if it has a hidden key`(_ text: String) {
        #expect(shown("{\"next\":\"\(text)\",\"b\":[\"\(text)\"]}") == #"{"next":"***","b":["***"]}"#)
    }

    @Test(arguments: ["https://a.example/?page=2", "your password is too short", "token", "100% = all", "a%=b"])
    func `a string without a hidden key and value is not redacted`(_ text: String) {
        #expect(shown("[\"\(text)\"]") == "[\"\(text)\"]")
    }
}
