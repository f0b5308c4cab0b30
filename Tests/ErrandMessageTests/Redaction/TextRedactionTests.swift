import Testing

@testable import Errand

struct `Text without its secrets` {
    private let redaction = TextRedaction(SecretNames())

    @Test(arguments: [
        ("see https://u:planted@a.example/x?token=planted.", "see https://a.example/x?token=***"),
        ("password: planted words\nend", "password: ***\nend"), ("a=1, token=planted, b=2", "a=1, token=***, b=2"),
        ("data: {\"otp\": 1234, \"n\": 5}", "data: {\"otp\": 0, \"n\": 5}"),
        ("{\"tokens\": [\"planted\", {\"x\": \"planted\"}], \"n\": 5}", "{\"tokens\": ***, \"n\": 5}"),
        ("<Password>planted</Password>", "<Password>***</Password>"),
        ("<w:Password Type=\"x\">planted</w:Password>", "<w:Password Type=\"x\">***</w:Password>"),
        ("<u secret='planted'/>", "<u secret='***'/>"),
        (#"{"a": "{\"token\": \"pla\\\"nted\", \"b\": 1}"}"#, #"{"a": "{\"token\": \"***\", \"b\": 1}"}"#),
    ])
    func `each value with a secret name is replaced with a placeholder`(_ text: String, _ expected: String) {
        #expect(redaction.redacted(text) == expected)
    }

    @Test(arguments: [
        "q=token%3Dplanted", "q=%2574oken%253Dplanted", "q=token%3D(planted", "q=token%3Dplanted%FF",
        "q=%7B%22password%22%3A%22planted%22%7D", "q=https%3A%2F%2Fu%3Aplanted%40a.example",
        "q=%25252525252525252525252541",
    ])
    func `secrets that are percent-encoded, once or repeatedly, are redacted`(_ text: String) {
        #expect(redaction.redacted(text).hasPrefix("q=***"))
        #expect(!redaction.redacted(text).contains("planted"))
        #expect(String(decoding: redaction.redacted(form: Array(text.utf8)), as: UTF8.self) == "q=***")
    }

    @Test(arguments: [
        "monkey=1; a:b", "a token b", "100%=a", "a%=b%3Dtoken", "data: {\"max_tokens\": 1}",
        "<a key=\"k\"><b>c</b></a>",
        "https://a.example/%7Bid%7D?page=2", "pinned=1&tokens=57", "",
    ])
    func `text without secrets is not changed`(_ text: String) {
        #expect(redaction.redacted(text) == text)
        #expect(!redaction.findsSecret(in: text.utf8))
    }

    /// A scanner that read the backslashes again for each of them would take minutes.
    @Test(arguments: ["", "'", "a"])
    func `a value of many backslashes is redacted`(_ end: String) {
        let text = "token=[" + String(repeating: "\\", count: 300_000) + end
        #expect(redaction.redacted(text) == "token=***")
    }

    @Test func `the items of a form are redacted individually`() {
        let form = "q=plain&q=token%3Dplanted&flag&pass%77ord=planted&token%3Dplanted&key=planted&max_tokens=5"
        let expected = "q=plain&q=***&flag&pass%77ord=***&***&key=***&max_tokens=5"
        #expect(String(decoding: redaction.redacted(form: Array(form.utf8)), as: UTF8.self) == expected)
    }
}
