import Testing

@testable import Errand

struct `A declared length` {
    @Test func `the declared length is the single value of Content-Length`() {
        #expect((["Content-Length": "10"] as HeaderFields).declaredContentLength == 10)
        var headers: HeaderFields = ["Content-Length": "10"]
        headers.add("Content-Length", "10")
        #expect(headers.declaredContentLength == 10)
        headers.add("Content-Length", "11")
        #expect(headers.declaredContentLength == nil)
    }

    @Test(arguments: ["", "-1", "1e3", "0x10", "99999999999999999999"])
    func `a Content-Length that is not a number is ignored`(_ text: String) {
        #expect((["Content-Length": text] as HeaderFields).declaredContentLength == nil)
    }
}
