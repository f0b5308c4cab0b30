import Testing

@testable import Errand

struct `A content range` {
    @Test func `says which bytes, and of how many`() {
        #expect(ContentRange("bytes 5-9/10")?.bytes == 5...9)
        #expect(ContentRange("bytes 5-9/10")?.total == 10)
        #expect(ContentRange("bytes 5-9/*")?.bytes == 5...9)
        #expect(ContentRange("bytes 5-9/*")?.total == nil)
        #expect(ContentRange("Bytes */10")?.bytes == nil)
        #expect(ContentRange("bytes */10")?.total == 10)
    }

    @Test(arguments: [
        "", "bytes", "bytes 5-9", "bytes 9-5/10", "bytes 5-10/10", "bytes */*", "items 5-9/10", "bytes -5-9/10",
        "bytes 5-9/-10", "bytes 5-9/10/11", "bytes +5-9/10", "bytes 5-9999999999999999999/*", "bytes=5-9/10",
        "bytes 5 - 9/10",
    ])
    func `is nothing when it is malformed or contradicts itself`(_ text: String) {
        #expect(ContentRange(text) == nil)
    }
}

struct `A declared length` {
    @Test func `is one number`() {
        #expect((["Content-Length": "10"] as HeaderFields).declaredContentLength == 10)
        var headers: HeaderFields = ["Content-Length": "10"]
        headers.add("Content-Length", "10")
        #expect(headers.declaredContentLength == 10)
        headers.add("Content-Length", "11")
        #expect(headers.declaredContentLength == nil)
    }

    @Test(arguments: ["", "-1", "1e3", "0x10", "99999999999999999999"])
    func `is nothing for what is no number`(_ text: String) {
        #expect((["Content-Length": text] as HeaderFields).declaredContentLength == nil)
    }
}
