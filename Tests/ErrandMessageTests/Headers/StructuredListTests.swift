import TestSupport
import Testing

@testable import Errand

struct `A list of structured items` {
    @Test func `a structured list has values and parameters`() throws {
        let list = try #require(StructuredList(#""day";r=0;t=30 , hour;r=-5;note="a;b,\"c\"";on"#))
        #expect(list.items.map(\.value) == [.text("day"), .text("hour")])
        #expect(list.items.first?.parameters == ["r": .integer(0), "t": .integer(30)])
        let second = try #require(list.items.last)
        #expect(second.parameters == ["r": .integer(-5), "note": .text(#"a;b,"c""#), "on": .other])
    }

    @Test(arguments: ["1.5", "-12.125", ":aGk=:", "?1", "@1700000000", "a;pk=:QQ==:", "*a/b:c", ""])
    func `a structured list accepts values of all other types`(_ text: String) {
        #expect(StructuredList(text) != nil)
    }

    @Test(arguments: [
        "a,", ",a", "a b", "a;", "a;R=1", "a;r=", "\"a", "\"a\\n\"", "\"\u{e9}\"", "(a b)", "1.", "1.2345", "-", "?2",
        ":a", "@x", "1234567890123456", "limit=1", "a;;b", "a\u{0}",
    ])
    func `a structured list with a malformed item is invalid`(_ text: String) {
        #expect(StructuredList(text) == nil)
    }
}
