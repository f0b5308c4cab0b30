import Testing

@testable import ErrandOpenAPI

@Suite struct DocumentationTests {
    @Test(arguments: [
        ("One line.", ["One line."]), ("Two\nlines.", ["Two lines."]),
        ("Two\n\nparagraphs.", ["Two", "", "paragraphs."]),
        ("A list:\n- one\n- two", ["A list:", "- one", "- two"]), ("# Title\ntext", ["# Title", "text"]),
        ("```\nlet a\nlet b\n```\nafter", ["```", "let a", "let b", "```", "after"]),
        ("1. one\n2. two", ["1. one", "2. two"]),
        ("<p>Some <code>code</code>, <a href=\"x\">linked</a>.</p>", ["Some `code`, linked."]),
        ("a < b <i>c</i><br/><a b", ["a < b <i>c</i>", "<a b"]), ("tail \t \n\tnext", ["tail next"]),
        ("<ul><li>a</li><li>b</li></ul>", ["- a", "", "- b"]), ("\n\n", []), ("a\u{2028}b\u{0}", ["a b"]),
    ])
    func `a description becomes lines of a comment`(_ text: String, _ lines: [String]) {
        #expect(Documentation.paragraphs(text) == lines)
    }

    @Test func `the limits of a property are part of its documentation`() {
        let schema = "{type: string, description: A name, minLength: 1, maxLength: 9, pattern: '^a', default: a}"
        let code = Generated(schemas: "Thing: {properties: {a: \(schema)}}").code("Models/Thing.swift")
        #expect(
            code.contains(
                "/// A name\n    ///\n    /// The server's default is `a`. At least 1 characters. At most 9 characters. Matches `^a`."
            ))
    }

    @Test func `a long line is wrapped at 120 columns`() {
        var writer = CodeWriter()
        writer.documentation([Array(repeating: "word", count: 60).joined(separator: " ")])
        let lines = writer.text.split(separator: "\n")
        #expect(lines.count == 3 && lines.allSatisfy { $0.count <= 120 && $0.hasPrefix("/// word") })
    }
}
