import Errand
import Testing

struct `Header fields` {
    @Test func `header fields are found by name in any case`() {
        let headers: HeaderFields = ["Content-Type": "a", "X-Tag": "1", "x-tag": "2"]
        #expect(headers["content-type"] == "a")
        #expect(headers["X-TAG"] == "1, 2")
        #expect(headers[values: "X-Tag"] == ["1", "2"])
        #expect(headers["missing"] == nil)
        // The Kelvin sign is not a k.
        #expect(HeaderFields([.init("\u{212A}ey", "1")])["key"] == nil)
    }

    @Test func `setting a header field replaces all fields of that name in place`() {
        var headers: HeaderFields = ["A": "1", "B": "2", "a": "3", "C": "4"]
        headers["a"] = "5"
        #expect(headers.map { "\($0.name)=\($0.value)" } == ["a=5", "B=2", "C=4"])
        headers[values: "B"] = ["6", "7"]
        #expect(headers.map { "\($0.name)=\($0.value)" } == ["a=5", "B=6", "B=7", "C=4"])
        headers["b"] = nil
        #expect(headers.map { "\($0.name)=\($0.value)" } == ["a=5", "C=4"])
        headers.add("A", "8")
        #expect(headers[values: "a"] == ["5", "8"])
    }

    @Test func `merging header fields replaces all fields of the same name`() {
        let base: HeaderFields = ["A": "1", "B": "2", "B": "3"]
        let merged = base.merging(["b": "4", "B": "5", "C": "6"])
        #expect(merged[values: "B"] == ["4", "5"])
        #expect(merged["A"] == "1")
        #expect(merged["C"] == "6")
    }

    @Test func `header fields are equal if their names differ only in case`() {
        #expect(HeaderFields([.init("A", "1")]) == ["a": "1"])
        #expect(HeaderFields([.init("A", "1")]) != ["a": "2"])
        #expect(Set([HeaderFields([.init("A", "1")]), ["a": "1"]]).count == 1)
    }

    @Test func `the description of header fields contains no values`() {
        let headers: HeaderFields = ["Authorization": "planted"]
        var dumped = ""
        dump(headers, to: &dumped)
        for text in [
            "\(headers)", String(reflecting: headers), "\(headers[0])", String(reflecting: headers[0]), dumped,
        ] {
            #expect(!text.contains("planted"))
            #expect(text.contains("Authorization"))
        }
    }
}
