import Errand
import Testing

struct `A content range` {
    @Test func `a content range has byte positions and a total size, both optional`() {
        #expect(ContentRange(field: "bytes 5-9/10")?.bytes == 5...9)
        #expect(ContentRange(field: "bytes 5-9/10")?.total == 10)
        #expect(ContentRange(field: "bytes 5-9/*")?.bytes == 5...9)
        #expect(ContentRange(field: "bytes 5-9/*")?.total == nil)
        #expect(ContentRange(field: "Bytes */10")?.bytes == nil)
        #expect(ContentRange(field: "bytes */10")?.total == 10)
    }

    @Test(arguments: [
        "", "bytes", "bytes 5-9", "bytes 9-5/10", "bytes 5-10/10", "bytes */*", "items 5-9/10", "bytes -5-9/10",
        "bytes 5-9/-10", "bytes 5-9/10/11", "bytes +5-9/10", "bytes 5-9999999999999999999/*", "bytes=5-9/10",
        "bytes 5 - 9/10",
    ])
    func `a malformed or contradictory content range is invalid`(_ text: String) {
        #expect(ContentRange(field: text) == nil)
    }
}

struct `Byte ranges` {
    @Test(
        arguments: [
            ("bytes=0-499", [.bytes(0...499)]), ("bytes=500-", [.from(500)]), ("bytes=-500", [.last(500)]),
            ("bytes=0-0, -1", [.bytes(0...0), .last(1)]), ("Bytes = 1-2 ,, 5-", [.bytes(1...2), .from(5)]),
            ("bytes=5-4", nil), ("bytes=", nil),
            ("bytes=-", nil), ("bytes=1-2,x", nil), ("lines=1-2", nil), ("bytes", nil), ("bytes=+1-2", nil),
            ("bytes=1--2", nil),
            ("bytes=9999999999999999999-", nil), ("bytes=1-9999999999999999999", nil),
        ] as [(String, [ByteRange]?)])
    func `byte ranges are parsed from the Range header field`(_ field: String, _ ranges: [ByteRange]?) {
        let headers: HeaderFields = ["range": field]
        #expect(headers.byteRanges == ranges)
    }

    @Test func `byte ranges are written to the Range header field`() {
        var headers = HeaderFields()
        headers.byteRanges = [.bytes(0...499), .from(500), .last(5)]
        #expect(headers["Range"] == "bytes=0-499, 500-, -5")
        #expect(headers.byteRanges == [.bytes(0...499), .from(500), .last(5)])
        headers.byteRanges = [.bytes(-5...(-1)), .from(.min), .last(-3)]
        #expect(headers["Range"] == "bytes=0-0, 0-, -0")
        headers.byteRanges = []
        #expect(headers.isEmpty && headers.byteRanges == nil)
    }

    @Test func `a response with repeated Content-Range fields has no content range`() {
        var headers: HeaderFields = ["Content-Range": "bytes 5-9/10"]
        #expect(headers.contentRange?.bytes == 5...9)
        headers.add("Content-Range", "bytes 5-9/10")
        #expect(headers.contentRange == nil)
        #expect(HeaderFields().contentRange == nil)
    }
}
