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

    @Test func `secret names of a logged form are redacted`() throws {
        #expect(
            try shown(
                "user=me&pass%77ord=hunter2&user%5Btoken%5D=hunter2&flag&a=1", "application/x-www-form-urlencoded")
                == "user=me&pass%77ord=***&user%5Btoken%5D=***&flag&a=1")
    }
}
