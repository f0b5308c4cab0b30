import Errand
import Testing

struct `Header fields` {
    @Test func `are found without regard to case`() {
        let headers: HeaderFields = ["Content-Type": "a", "X-Tag": "1", "x-tag": "2"]
        #expect(headers["content-type"] == "a")
        #expect(headers["X-TAG"] == "1, 2")
        #expect(headers[values: "X-Tag"] == ["1", "2"])
        #expect(headers["missing"] == nil)
        // The Kelvin sign is not a k.
        #expect(HeaderFields([.init("\u{212A}ey", "1")])["key"] == nil)
    }

    @Test func `are replaced where they stood, all of a name at once`() {
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

    @Test func `are merged name by name`() {
        let base: HeaderFields = ["A": "1", "B": "2", "B": "3"]
        let merged = base.merging(["b": "4", "B": "5", "C": "6"])
        #expect(merged[values: "B"] == ["4", "5"])
        #expect(merged["A"] == "1")
        #expect(merged["C"] == "6")
    }

    @Test func `are equal when names differ in case only`() {
        #expect(HeaderFields([.init("A", "1")]) == ["a": "1"])
        #expect(HeaderFields([.init("A", "1")]) != ["a": "2"])
        #expect(Set([HeaderFields([.init("A", "1")]), ["a": "1"]]).count == 1)
    }

    @Test func `show no value`() {
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
