import TestSupport
import Testing

@testable import Errand

struct `A Cache-Control field` {
    @Test func `Cache-Control directives are parsed without regard to case and white space`() {
        let control = CacheControl("  Max-Age=60 ,NO-STORE,, stale-if-error=\"30\"")
        #expect(control.seconds("max-age") == 60)
        #expect(control.has("no-store"))
        #expect(control.seconds("stale-if-error") == 30)
        #expect(control.seconds("s-maxage") == nil)
        #expect(!CacheControl(nil).has("no-store"))
    }

    @Test(arguments: [
        "max-age=-1", "max-age=1.5", "max-age=x", "max-age=", "max-age", "max-age=+1", "max-age=\"\"", "max-age =60",
        "max-age= 60",
    ])
    func `a Cache-Control directive with an invalid number of seconds is zero`(_ text: String) {
        #expect(CacheControl(text).seconds("max-age") == 0)
    }

    @Test func `contradictory Cache-Control directives are zero, and equal ones are merged`() {
        #expect(CacheControl("max-age=60, max-age=120").seconds("max-age") == 0)
        #expect(CacheControl("max-age=60, max-age=60").seconds("max-age") == 60)
    }

    @Test(arguments: ["2147483648", "2147483649", "99999999999999999999999999"])
    func `a Cache-Control number that is too large is limited to 2^31`(_ number: String) {
        #expect(CacheControl("max-age=\(number)").seconds("max-age") == 2_147_483_648)
    }

    @Test func `a comma in a quoted Cache-Control argument does not end the directive`() {
        let control = CacheControl("no-cache=\"X-One, X-Two\", max-age=5")
        #expect(control.fieldNames("no-cache") == ["X-One", "X-Two"])
        #expect(!control.isUnqualified("no-cache"))
        #expect(control.seconds("max-age") == 5)
        #expect(!CacheControl("ext=\"a, no-store\"").has("no-store"))
        #expect(!CacheControl(#"ext="a\", no-store""#).has("no-store"))
    }

    @Test(arguments: ["max-age=\"60\\\"", "max-age=\"60", "max-age=\"6\"0", "max-age=6 0"])
    func `a Cache-Control number that is neither a token nor a quoted string is zero`(_ text: String) {
        #expect(CacheControl(text).seconds("max-age") == 0)
    }

    @Test(.hangGuard) func `unterminated quotes in Cache-Control are parsed in linear time`() {
        let text = "\"" + String(repeating: #"\""#, count: 120_000)
        #expect(CacheControl(text + ", no-store").has("no-store"))
    }

    @Test func `a directive after an unterminated quote is recognized`() {
        #expect(CacheControl("max-age=\"60, no-store").has("no-store"))
        #expect(CacheControl(#"ext="a\", no-store"#).has("no-store"))
    }

    @Test(arguments: [
        "no-cache", "no-cache=\"\"", "no-cache=\"X\", no-cache", "no-cache=\"X", "no-cache=X Y", "no-cache=\"X\\\"",
        "no-cache=\"X\"Y",
    ])
    func `no-cache without valid field names applies to the whole response`(_ text: String) {
        #expect(CacheControl(text).isUnqualified("no-cache"))
    }

    @Test(arguments: ["=", ",,,", "=60", "\"", "\\", "max-age=\"\\", "\u{0}=\u{0}", "🦀=1, a b=2"])
    func `an invalid Cache-Control field has no directives`(_ text: String) {
        let control = CacheControl(text)
        #expect(!control.has("no-store"))
        #expect(control.seconds("max-age") ?? 0 == 0)
    }
}
