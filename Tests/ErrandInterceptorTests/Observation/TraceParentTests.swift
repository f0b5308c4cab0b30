import Errand
import TestSupport
import Testing

struct `A trace parent` {
    private static let trace = "4bf92f3577b34da6a3ce929d0e0e4736"
    private static let span = "00f067aa0ba902b7"

    @Test(arguments: [("00", "00"), ("01", "01"), ("02", "02"), ("03", "03"), ("fc", "00"), ("ff", "03")])
    func `a trace parent is parsed, and its known flags are passed on`(_ flags: String, _ passed: String) throws {
        let parent = try #require(TraceParent("00-\(Self.trace)-\(Self.span)-\(flags)", state: "a=1"))
        #expect(parent.traceID == Self.trace)
        #expect(parent.parentID == Self.span)
        #expect(parent.isSampled == ["01", "03"].contains(passed))
        #expect(parent.isRandom == ["02", "03"].contains(passed))
        #expect(parent.state == "a=1")
        #expect(parent.description == "00-\(Self.trace)-\(Self.span)-\(passed)")
        #expect(parent.child().description.hasSuffix("-\(passed)"))
    }

    @Test(arguments: [
        "", "00", "00-\(trace)-\(span)", "00-\(trace)-\(span)-1", "00-\(trace)-\(span)-01-", "00-\(trace)-\(span)-01-x",
        "00-\(trace)-\(span)-011", "00-\(trace.uppercased())-\(span)-01", "00-\(trace)-\(span.uppercased())-01",
        "00-\(trace)-\(span)-0A", "00-00000000000000000000000000000000-\(span)-01", "00-\(trace)-0000000000000000-01",
        "ff-\(trace)-\(span)-01", "0-\(trace)-\(span)-01", "FF-\(trace)-\(span)-01", "zz-\(trace)-\(span)-01",
        "00_\(trace)_\(span)_01", " 00-\(trace)-\(span)-01", "00-+bf92f3577b34da6a3ce929d0e0e4736-\(span)-01",
        "01-\(trace)-\(span)-01x", "01-\(trace)-\(span)", "00-\(trace)\(span)--01",
    ])
    func `an invalid trace parent is rejected`(_ text: String) {
        #expect(TraceParent(text) == nil)
    }

    @Test(arguments: ["01-\(trace)-\(span)-01", "cc-\(trace)-\(span)-01-what-comes-later"])
    func `a trace parent of a later version is read as the known version`(_ text: String) {
        #expect(TraceParent(text)?.description == "00-\(Self.trace)-\(Self.span)-01")
    }

    @Test func `a trace parent is created from valid IDs`() {
        #expect(TraceParent(traceID: Self.trace, parentID: Self.span, isSampled: true)?.isSampled == true)
        let random = TraceParent(traceID: Self.trace, parentID: Self.span, isRandom: true)
        #expect(random?.description == "00-\(Self.trace)-\(Self.span)-02")
        #expect(TraceParent(traceID: Self.trace, parentID: "")?.isSampled == nil)
        #expect(TraceParent(traceID: "\(Self.trace)-\(Self.span)", parentID: "1")?.isSampled == nil)
    }

    @Test func `a child of a trace parent has the same trace ID and state`() throws {
        let parent = try #require(TraceParent("00-\(Self.trace)-\(Self.span)-01", state: "a=1"))
        let child = parent.child { 0xAB }
        #expect(child.description == "00-\(Self.trace)-00000000000000ab-01")
        #expect(child.state == "a=1")
    }

    @Test func `random trace and span IDs are never all zeros`() {
        #expect(TraceParent().traceID != TraceParent().traceID)
        let zeros = TraceParent { 0 }
        #expect(zeros.description == "00-00000000000000000000000000000001-0000000000000001-02")
        #expect(zeros.child { 0 }.parentID == "0000000000000001")
        #expect(TraceParent(isSampled: true) { .max }.description.hasSuffix("-ffffffffffffffff-03"))
    }
}
