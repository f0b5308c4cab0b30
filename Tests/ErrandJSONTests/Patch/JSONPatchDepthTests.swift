import ErrandJSON
import Testing

struct `The depth of a patched document` {
    private func failure(of patch: JSONPatch, on document: JSONValue) -> JSONPatch.Failure? {
        do {
            _ = try patch.applied(to: document)
            return nil
        } catch {
            return error
        }
    }

    /// The document begins with two levels, and each copy adds one.
    @Test func `a patch of copies cannot nest a document deeper than 512 levels`() {
        let document: JSONValue = ["a": [:]]
        let copy = JSONPatch.Operation.copy(from: "/a", to: "/a/a")
        #expect(failure(of: JSONPatch(Array(repeating: copy, count: 510)), on: document) == nil)
        let failure = failure(of: JSONPatch(Array(repeating: copy, count: 511)), on: document)
        #expect(failure?.operation == 510)
        #expect(failure?.reason == "the document would be nested deeper than 512 arrays and objects")
    }

    @Test func `a value can be copied to a deeper place any number of times`() throws {
        let document: JSONValue = ["template": ["name": "x"], "items": []]
        let copy = JSONPatch.Operation.copy(from: "/template", to: "/items/-")
        let patched = try JSONPatch(Array(repeating: copy, count: 2_000)).applied(to: document)
        #expect(patched["items"] == .array(Array(repeating: ["name": "x"], count: 2_000)))
    }

    /// Each pair of copies doubles the number of values, so visiting all of them would take too long.
    @Test func `the depth limit of a patch is checked without visiting each value`() {
        let document: JSONValue = ["a": [:]]
        let copies = ["x", "y"].map { JSONPatch.Operation.copy(from: "/a", to: "/a/\($0)") }
        let patch = JSONPatch(Array(repeating: copies, count: 300).flatMap(\.self))
        #expect(failure(of: patch, on: document) != nil)
    }

    /// Copies that add no level make 11 to the power of 10 values, before one that adds a level.
    @Test func `the depth of a document is found before copies make it large`() {
        let zeros = (0...10).map { String(repeating: "/0", count: $0) }
        let document = (1...10).reduce(JSONValue.array([])) { inner, _ in [inner] }
        let copies = (1...10).reversed().flatMap { level in
            Array(repeating: JSONPatch.Operation.copy(from: zeros[level], to: "\(zeros[level - 1])/-"), count: 10)
        }
        let patch = JSONPatch(copies + [.copy(from: "/0", to: "/0/-")])
        // With a limit of size, this patch would fail.
        #expect(throws: Never.self) { _ = try patch.applied(to: document, maximumCopySize: nil) }
    }

    @Test func `the depth limit applies to values added by a patch`() {
        var deep: JSONValue = [:]
        for _ in 0..<511 { deep = ["a": deep] }
        #expect(failure(of: [.add("/b", deep)], on: [:]) != nil)
        // A document that was already deeper can still be changed.
        #expect(failure(of: [.add("/a/b", 1)], on: ["a": deep]) == nil)
    }
}
