import TestSupport
import Testing

@testable import Errand

struct `A body in a log` {
    private func shown(_ text: String, _ type: String, limit: Int = 100) throws -> String? {
        LogBody(
            data: Data(text.utf8), type: try #require(ContentType(type)), names: SecretNames()
        )
        .text(limit: limit)
    }

    @Test func `a logged body is truncated at its limit with its length`() throws {
        #expect(try shown("0123456789", "text/plain", limit: 10) == "0123456789")
        #expect(try shown("0123456789", "text/plain", limit: 4) == "0123... (10 bytes)")
        #expect(try shown(#"{"a":"0123456789"}"#, "application/json", limit: 7) == #"{"a":"0... (18 bytes)"#)
        #expect(try shown("0123456789", "text/plain", limit: 0) == "... (10 bytes)")
    }

    @Test(arguments: 1...4)
    func `a logged body is not truncated within a character`(_ limit: Int) throws {
        #expect(try shown("a\u{1F600}b", "text/plain", limit: limit) == "a... (6 bytes)")
    }

    @Test func `a logged body is redacted before it is truncated`() throws {
        let long = String(repeating: "x", count: 60)
        #expect(
            try shown(#"{"token":"\#(long)","a":1}"#, "application/json", limit: 30) == #"{"token":"***","a":1}"#)
    }

    @Test func `a body that is not text is not logged`() {
        let body = LogBody(data: Data([0x22, 0xFF, 0x22]), type: .json, names: SecretNames([]))
        #expect(body.text(limit: 10) == nil)
    }

    @Test func `hidden keys of a logged form are redacted`() throws {
        #expect(
            try shown(
                "user=me&pass%77ord=hunter2&user%5Btoken%5D=hunter2&flag&a=1", "application/x-www-form-urlencoded")
                == "user=me&pass%77ord=***&user%5Btoken%5D=***&flag&a=1")
    }

    @Test func `a URL with a hidden key in a logged form is redacted`() throws {
        let form = "next=https%3A%2F%2Fa.example%2F%3Faccess_token%3Dhunter2&back=%2F%3Fpage%3D2"
        #expect(try shown(form, "application/x-www-form-urlencoded") == "next=***&back=%2F%3Fpage%3D2")
    }

    @Test(arguments: [
        "password_confirmation", "passwordRepeat", "password2", "cvv2", "otp_code", "token_value", "client_assertion",
        "code_verifier", "pin",
    ])
    func `the same names are redacted in JSON, forms and other text`(_ name: String) throws {
        #expect(try shown("{\"\(name)\":\"hunter2\"}", "application/json") == "{\"\(name)\":\"***\"}")
        #expect(try shown("a=1&\(name)=hunter2", "application/x-www-form-urlencoded") == "a=1&\(name)=***")
        #expect(try shown("<\(name)>hunter2</\(name)>", "text/xml") == "<\(name)>***</\(name)>")
        #expect(try shown("\(name): hunter2\nb: 1", "text/plain") == "\(name): ***\nb: 1")
    }

    @Test(arguments: [
        "max_tokens", "token_type", "tokens_used", "pinned", "shipping", "passenger", "author", "keyboard", "spin",
    ])
    func `names that only resemble a secret are not redacted in a logged body`(_ name: String) throws {
        for text in ["{\"\(name)\":\"x\"}", "{\"\(name)\":1}"] {
            #expect(try shown(text, "application/json") == text)
        }
        #expect(try shown("\(name)=x&b=1", "application/x-www-form-urlencoded") == "\(name)=x&b=1")
        #expect(try shown("\(name): x", "text/plain") == "\(name): x")
    }
}
