import Errand
import Testing

struct `JSON in a log` {
    private func shown(_ text: String, hiding keys: Set<String> = ["password", "token", "api_key"]) -> String {
        var redaction = JSONRedaction(Array(text.utf8), SecretNames(keys))
        let (bytes, isWhole) = redaction.redacted()
        return String(decoding: bytes, as: UTF8.self) + (isWhole ? "" : "|")
    }

    @Test(arguments: [
        #"{"a": 1, "b": [true, null, -1.5e3, "x"]}"#, "{\n  \"a\" : \"b\"\n}\n", #""text""#, "",
        "{\"a\":1}\n{\"a\":2}\n",
        #"{"next":"https://a.example/?token=1","b":"{\"token\": 1}"}"#,
    ])
    func `a JSON document without secret keys does not change`(_ text: String) {
        #expect(shown(text) == text)
    }

    @Test(arguments: [
        (#"{"password": "hunter2", "b": 1}"#, #"{"password": "***", "b": 1}"#),
        (#"{"password": 2.5, "b": 1}"#, #"{"password": "***", "b": 1}"#),
        (
            #"{"password": {"x": ["hunter2", "}"], "y": {"z": 1}} , "b": 1}"#,
            #"{"password": {"x": ["***", "***"], "y": {"z": "***"}} , "b": 1}"#
        ),
        (
            #"{"password": ["hunter2", [1], true, null], "b": [2]}"#,
            #"{"password": ["***", ["***"], true, null], "b": [2]}"#
        ),
        (#"{"password": "a\"hunter2\\", "b": 1}"#, #"{"password": "***", "b": 1}"#),
        (#"{"password" : null,"b": 1}"#, #"{"password" : null,"b": 1}"#),
        (#"{"password": {}, "b": "x"}"#, #"{"password": {}, "b": "x"}"#),
        (
            #"[{"token":"hunter2"},{"token":{"token":"hunter2"},"id":7}]"#,
            #"[{"token":"***"},{"token":{"token":"***"},"id":7}]"#
        ),
    ])
    func `the strings and numbers of a secret value are replaced at every depth`(_ text: String, _ expected: String) {
        #expect(shown(text) == expected)
    }

    @Test(arguments: ["password", "Password", "PASSWORD", "apiKey", "API_KEY", "api-key", #"pass\u0077ord"#])
    func `a secret key is recognized in any spelling`(_ key: String) {
        #expect(shown("{\"\(key)\":\"hunter2\"}") == "{\"\(key)\":\"***\"}")
    }

    @Test(arguments: ["passwordless", "tokenizer", "tok", "name", "user.token", "tokens"])
    func `the values of other keys are not replaced`(_ key: String) {
        #expect(shown("{\"\(key)\":\"x\"}") == "{\"\(key)\":\"x\"}")
    }

    @Test(arguments: [
        #"{"a":1,"password":"hunt"#, #"{"a":1,"password":["hunter2","#, #"{"a":1,"password":"#,
        #"{"a":1,"password": {"b":"hunter2""#,
    ])
    func `a document that is cut off in a secret value shows nothing of the value`(_ text: String) {
        #expect(!shown(text).contains("hunt"))
        #expect(shown(text).hasSuffix("|"))
    }

    @Test(arguments: [
        "{'password':'hunter2'}", "{password:hunter2}", "password=hunter2", "<p>hunter2</p>", "{\"a\":hunter2}",
        #"{"password": "hunter2": 1}"#, #"{"password":: "hunter2"}"#,
    ])
    func `invalid JSON is hidden from the error on`(_ text: String) {
        #expect(!shown(text).contains("hunter2"))
        #expect(shown(text).hasSuffix("|"))
    }
}
