import Testing

@testable import Errand

struct `JSON in a log` {
    fileprivate func shown(_ text: String, hiding keys: Set<String> = ["password", "token", "api_key"]) -> String {
        let (bytes, isWhole) = JSONRedaction(keys: HiddenKeys(keys)).redacted(Array(text.utf8))
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

struct `A body in a log` {
    private func shown(_ text: String, _ type: String, limit: Int = 100) throws -> String? {
        LogBody(
            data: Data(text.utf8), type: try #require(ContentType(type)), hiddenKeys: LogDisclosure.defaultHiddenKeys
        )
        .text(limit: limit)
    }

    @Test func `is cut at its limit, and says how long it is`() throws {
        #expect(try shown("0123456789", "text/plain", limit: 10) == "0123456789")
        #expect(try shown("0123456789", "text/plain", limit: 4) == "0123... (10 bytes)")
        #expect(try shown(#"{"a":"0123456789"}"#, "application/json", limit: 7) == #"{"a":"0... (18 bytes)"#)
        #expect(try shown("0123456789", "text/plain", limit: 0) == "... (10 bytes)")
    }

    @Test(arguments: 1...4)
    func `is not cut through a character`(_ limit: Int) throws {
        #expect(try shown("a\u{1F600}b", "text/plain", limit: limit) == "a... (6 bytes)")
    }

    @Test func `is cut after it was searched, so that a long secret does not push it out`() throws {
        let long = String(repeating: "x", count: 60)
        #expect(
            try shown(#"{"token":"\#(long)","a":1}"#, "application/json", limit: 30) == #"{"token":"***","a":1}"#)
    }

    @Test func `that is no text is not shown`() {
        let body = LogBody(data: Data([0x22, 0xFF, 0x22]), type: .json, hiddenKeys: [])
        #expect(body.text(limit: 10) == nil)
    }

    @Test func `that is a form has its hidden keys hidden`() throws {
        #expect(
            try shown(
                "user=me&pass%77ord=hunter2&user%5Btoken%5D=hunter2&flag&a=1", "application/x-www-form-urlencoded")
                == "user=me&pass%77ord=***&user%5Btoken%5D=***&flag&a=1")
    }

    @Test func `that is a form has a URL hidden that has a hidden key`() throws {
        let form = "next=https%3A%2F%2Fa.example%2F%3Faccess_token%3Dhunter2&back=%2F%3Fpage%3D2"
        #expect(try shown(form, "application/x-www-form-urlencoded") == "next=***&back=%2F%3Fpage%3D2")
    }
}
