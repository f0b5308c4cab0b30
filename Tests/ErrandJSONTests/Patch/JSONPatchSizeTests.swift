import ErrandJSON
import Testing

struct `The size of a patched document` {
    /// Each round doubles the value: two copies of it and a move of both into its place.
    private static func doubling(_ rounds: Int) -> JSONPatch {
        let round: [JSONPatch.Operation] = [
            .add("/b", []), .copy(from: "/a", to: "/b/-"), .copy(from: "/a", to: "/b/-"), .move(from: "/b", to: "/a"),
        ]
        return JSONPatch(Array(repeating: round, count: rounds).flatMap(\.self))
    }

    /// Each round copies an array into itself, without an addition of the patch.
    private static func copying(_ rounds: Int) -> JSONPatch {
        JSONPatch(Array(repeating: .copy(from: "/a", to: "/a/-"), count: rounds))
    }

    private static func members(_ rounds: Int) -> JSONPatch {
        JSONPatch((0..<rounds).map { .copy(from: "", to: "/\($0)") })
    }

    private func failure(of patch: JSONPatch, on document: JSONValue, limit: Int? = 16 << 20) -> JSONPatch.Failure? {
        do {
            _ = try patch.applied(to: document, maximumCopySize: limit)
            return nil
        } catch {
            return error
        }
    }

    @Test(arguments: [doubling(15), doubling(100), copying(60), members(60)])
    func `a patch of copies of copies cannot make a document of any size`(_ patch: JSONPatch) throws {
        let document: JSONValue = ["a": [.string(String(repeating: "x", count: 1000))]]
        let failure = try #require(throws: JSONPatch.Failure.self) { try patch.applied(to: document) }
        #expect(failure.reason == "the copied values are larger than 16777216 bytes")
    }

    @Test func `all copies together may have exactly the maximum size`() {
        let copies = JSONPatch([.copy(from: "/a", to: "/b"), .copy(from: "/a", to: "/c")])
        // Each copy is `{"key":["12",3,true]}`; a literal counts as 4 bytes.
        let document: JSONValue = ["a": ["key": ["12", 3, true]]]
        let size = "{\"key\":,[\"12\",3,true,]}".utf8.count
        #expect(failure(of: copies, on: document, limit: 2 * size) == nil)
        let error = failure(of: copies, on: document, limit: 2 * size - 1)
        #expect(error?.operation == 1)
        #expect(error?.description == "operation 1: the copied values are larger than \(2 * size - 1) bytes")
        #expect(failure(of: copies, on: document, limit: nil) == nil)
        #expect(failure(of: copies, on: document, limit: -1)?.operation == 0)
    }

    @Test func `a large document can be changed and moved without copies`() throws {
        let text = JSONValue.string(String(repeating: "x", count: 17 << 20))
        let patch: JSONPatch = [.add("/b", text), .move(from: "/a", to: "/c"), .replace("/b", 1), .remove("/c")]
        #expect(try patch.applied(to: ["a": text]) == ["b": 1])
    }

    @Test func `the error of a patch shows a path on one line`() {
        let error = failure(of: [.remove("/a\nb\u{202E}")], on: [:])
        #expect(error?.reason == "the document has no value at \"/a\\nb\\u{202E}\"")
    }
}
