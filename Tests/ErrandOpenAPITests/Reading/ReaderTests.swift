import Testing

@testable import ErrandOpenAPI

@Suite struct ReaderTests {
    /// Reads a document, and returns its root with the messages.
    private func read(_ text: String, _ name: String = "a.yaml") -> (Node?, [String]) {
        let diagnostics = Diagnostics()
        let loader = Loader(diagnostics) { _ in Array(text.utf8) }
        return (loader.root(of: name), diagnostics.all.map(\.description))
    }

    @Test(arguments: [
        ("a: [1, 2.50, -0, 1e3]", #"{"a": [1, 2.50, -0, 1e3]}"#),
        ("a: {b: null, c: true, d: \"x\"}", #"{"a": {"b": null, "c": true, "d": "x"}}"#),
        ("a: no\nb: 090\nc: 0x1F\nd: 12:30\ne: '1'\nf: ~", #"{"a":"no","b":90,"c":31,"d":"12:30","e":"1","f":null}"#),
        ("a: &x {b: 1}\nc: *x", #"{"a": {"b": 1}, "c": {"b": 1}}"#),
        ("x: &x {b: 1, c: 2}\na:\n  <<: *x\n  c: 3", #"{"x": {"b": 1, "c": 2}, "a": {"c": 3, "b": 1}}"#),
        ("a: |\n  one\n  two\n", #"{"a": "one\ntwo\n"}"#),
        ("200: {é: ü}", #"{"200": {"é": "ü"}}"#),
    ])
    func `YAML and JSON of the same document are equal trees`(_ yaml: String, _ json: String) throws {
        let left = try #require(read(yaml).0)
        let right = try #require(read(json, "a.json").0)
        #expect(left.isEqual(to: right))
    }

    @Test(arguments: [
        (
            "a.json", "{\"a\": 1,\n \"a\": 2}",
            "a.json:2:2: warning: the key \"a\" occurs twice in an object; the first one counts [duplicate-key]"
        ),
        (
            "a.yaml", "a: 1\nb: é\nb: 2",
            "a.yaml:3:1: warning: the key \"b\" occurs twice in an object; the first one counts [duplicate-key]"
        ),
        ("a.json", "{\"a\": [1,]}", "a.json:1:10: error: this is not JSON: expected a value [syntax]"),
        ("a.yaml", "a: *x", "a.yaml:1:4: error: the anchor \"x\" does not exist [syntax]"),
        ("a.yaml", "a: &x [*x]", "a.yaml:1:8: error: the anchor \"x\" contains itself [syntax]"),
        ("a.yaml", "é: 'x", "a.yaml:1:6: error: this is not YAML: found unexpected end of stream [syntax]"),
        ("a.yaml", "? [1]\n: 2", "a.yaml:1:3: error: a key must be a text [syntax]"),
        ("a.yaml", "", "a.yaml:1:1: error: the document is empty [syntax]"),
        ("a.yaml", "a: 1\n---\nb: 2", "a.yaml:2:1: error: the file has more than one document [syntax]"),
    ])
    func `a fault is reported at its place`(_ name: String, _ text: String, _ message: String) {
        #expect(read(text, name).1 == [message])
    }

    @Test func `a document that expands aliases without end is rejected`() {
        var text = "a0: &a0 [1, 1, 1, 1, 1, 1, 1, 1, 1, 1]\n"
        for level in 1...9 {
            let aliases = Array(repeating: "*a\(level - 1)", count: 10).joined(separator: ", ")
            text += "a\(level): &a\(level) [\(aliases)]\n"
        }
        let (root, messages) = read(text)
        #expect(root == nil)
        #expect(messages.first?.contains("stand for more than 2000000 values") == true)
    }

    @Test(arguments: ["a.json", "a.yaml"])
    func `a document that is nested too deep is rejected`(_ name: String) {
        let (root, messages) = read(String(repeating: "[", count: 300) + String(repeating: "]", count: 300), name)
        #expect(root == nil)
        #expect(messages.count == 1)
    }

    @Test func `a node knows its pointer`() throws {
        let root = try #require(read("paths: {/a~b: {get: [1, 2]}}").0)
        #expect(root["paths"]?["/a~b"]?["get"]?.elements[1].pointer == "#/paths/~1a~0b/get/1")
    }
}
