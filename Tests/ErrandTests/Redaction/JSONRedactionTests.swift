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
    func `is as it was but for white space when there is nothing to hide`(_ text: String, _ expected: String) {
        #expect(shown(text) == expected)
    }

    @Test(arguments: [
        #"{"password": "hunter2", "b": 1}"#, #"{"password": hunter2, "b": 1}"#, #"{"password": 2.5, "b": 1}"#,
        #"{"password": {"x": ["hunter2", "}"], "y": {"z": 1}} , "b": 1}"#, #"{"password": ["hunter2", [1]], "b": 1}"#,
        #"{"password": "a\"hunter2\\", "b": 1}"#, #"{"password" : null,"b": 1}"#,
    ])
    func `has the whole value of a hidden key hidden`(_ text: String) {
        #expect(shown(text) == #"{"password":"***","b":1}"#)
    }

    @Test(arguments: [
        "password", "Password", "PASSWORD", "oldPassword", "user_password", "passwords", "accessToken", "refresh-token",
        "apiKey", "API_KEY", "x-api-keys", #"pass\u0077ord"#, "user.token",
    ])
    func `finds a hidden key however it is written`(_ key: String) {
        #expect(shown("{\"\(key)\":\"hunter2\"}") == "{\"\(key)\":\"***\"}")
    }

    @Test(arguments: ["passwordless", "tokenizer", "tok", "name"])
    func `leaves other keys alone`(_ key: String) {
        #expect(shown("{\"\(key)\":\"x\"}") == "{\"\(key)\":\"x\"}")
    }

    @Test func `shows a number under a plural, which is a count`() {
        let usage = #"{"tokens":57,"passwords":-1,"total_tokens":"57"}"#
        #expect(shown(usage) == usage)
        #expect(shown(#"{"tokens":["x"],"token":57}"#) == #"{"tokens":"***","token":"***"}"#)
    }

    @Test func `hides at every depth`() {
        #expect(
            shown(#"[{"user":{"token":"hunter2","id":7}},{"token":"hunter2"}]"#)
                == #"[{"user":{"token":"***","id":7}},{"token":"***"}]"#)
    }

    @Test(arguments: [
        #"{"a":1,"password":"hunt"#, #"{"a":1,"password":["hunter2","#, #"{"a":1,"password":"#,
        #"{"a":1,"password": {"b":"hunter2""#,
    ])
    func `that is cut off in a hidden value shows nothing of it`(_ text: String) {
        #expect(shown(text) == #"{"a":1,"password":"***"|"#)
    }

    @Test(arguments: [
        "{'password':'hunter2'}", "{password:hunter2}", "password=hunter2", "<p>hunter2</p>", "{\"a\":hunter2}",
    ])
    func `that is none is not shown from there on`(_ text: String) {
        #expect(!shown(text).contains("hunter2"))
        #expect(shown(text).hasSuffix("|"))
    }

    @Test func `hides a document inside a string when a hidden key is in it`() {
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
    func `hides a URL or a form inside a string when a hidden key is in it`(_ text: String) {
        #expect(shown("{\"next\":\"\(text)\",\"b\":[\"\(text)\"]}") == #"{"next":"***","b":["***"]}"#)
    }

    @Test(arguments: ["https://a.example/?page=2", "your password is too short", "token", "100% = all", "a%=b"])
    func `shows a string that has no hidden key with a value`(_ text: String) {
        #expect(shown("[\"\(text)\"]") == "[\"\(text)\"]")
    }
}
