import Foundation
import Testing

@testable import ErrandOpenAPI

@Suite struct DiffCommandTests {
    private static let head = "openapi: 3.1.0\ninfo: {title: T, version: '1'}\n"
    private static let operation = "get: {operationId: %, tags: [%], responses: {'204': {}}}"

    /// A document with operations whose paths, identifiers and tags have these names.
    private static func document(_ names: String...) -> String {
        let paths = names.map { "/\($0): {\(operation.replacing("%", with: $0))}" }
        return head + "paths: {\(paths.joined(separator: ", "))}"
    }

    /// Runs `diff` with files of these texts.
    private func run(
        _ files: [String: String], _ words: [String]
    ) throws -> (code: Int32, lines: [String], json: String?) {
        let folder = FileManager.default.temporaryDirectory.appending(path: "errand-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        for (name, text) in files {
            try text.write(to: folder.appending(path: name), atomically: true, encoding: .utf8)
        }
        var lines: [String] = []
        let arguments = words.map { $0.contains(".") ? folder.appending(path: $0).path : $0 }
        let code = GeneratorCommand { lines.append($0) }.run(["diff"] + arguments)
        let json = try? String(contentsOf: folder.appending(path: "report.json"), encoding: .utf8)
        return (code, lines.map { $0.replacing(folder.path + "/", with: "") }, json)
    }

    @Test(arguments: [
        (document("a"), document("a"), 0, "no change for code that uses the client"),
        (document("a"), document("a", "b"), 0, "harmless: 1"),
        (document("a"), document("a").replacing("'204'", with: "'205'"), 5, "may break at run time: 1"),
        (document("a", "b"), document("b"), 6, "does not compile: 1"),
        (
            document("a"), head + "paths: []", 1,
            "new.yaml:3:8: error: \"paths\" must be an object, not an array [type]\n  at #/paths"
        ),
        (
            "a: 1", document("a"), 1,
            "old.yaml:1:1: error: this is not an OpenAPI document: the key \"openapi\" is missing [version]"
        ),
    ])
    func `the exit code says what the update breaks`(
        _ old: String, _ new: String, _ code: Int32, _ last: String
    ) throws {
        let result = try run(["old.yaml": old, "new.yaml": new], ["old.yaml", "new.yaml"])
        #expect(result.code == code)
        #expect(result.lines.last == last)
    }

    @Test func `a missing document is an error of files`() throws {
        #expect(try run(["old.yaml": Self.document("a")], ["old.yaml", "new.yaml"]).code == 3)
    }

    @Test(arguments: [
        (["old.yaml"], "error: diff needs the old and the new document"),
        (["old.yaml", "new.yaml", "third.yaml"], "error: unexpected argument \"third.yaml\""),
        (["old.yaml", "new.yaml", "--output", "a"], "error: diff does not have the option --output"),
        (["old.yaml", "new.yaml", "--tag", "c"], "error: no operation has the tag \"c\""),
    ])
    func `a misuse is explained`(_ words: [String], _ message: String) throws {
        let document = Self.document("a")
        let result = try run(["old.yaml": document, "new.yaml": document, "third.yaml": document], words)
        #expect(result.code == 2)
        #expect(result.lines.first?.hasPrefix(message) == true, "\(result.lines)")
    }

    @Test func `a filter can name what only one document has`() throws {
        let files = ["old.yaml": Self.document("a", "b"), "new.yaml": Self.document("a", "c")]
        let result = try run(files, ["old.yaml", "new.yaml", "--tag", "a", "--tag", "c"])
        #expect(result.code == 0)
        #expect(result.lines.first?.hasPrefix("harmless: `C` is new") == true)
    }

    @Test func `the configuration counts for both documents`() throws {
        let names = ##"{"names": {"#/paths/~1a/get": "First"}, "operations": ["a"]}"##
        let files = ["old.yaml": Self.document("a", "b"), "new.yaml": Self.document("a").replacing("204", with: "200")]
        let words = ["old.yaml", "new.yaml", "--config", "c.json", "--report", "report.json"]
        let result = try run(files.merging(["c.json": names]) { first, _ in first }, words)
        #expect(result.lines.first?.hasPrefix("may break at run time: `First` succeeds with 200 now, not 204") == true)
        #expect(result.json?.contains(#""verdict": "run-time""#) == true)
    }

    private static func document(schemas: String) -> String {
        "openapi: 3.1.0\ninfo: {title: Shop, version: '1'}\npaths: {}\ncomponents: {schemas: {\(schemas)}}"
    }

    @Test(arguments: [
        (
            "A: {properties: {a: {type: string}}}", "A: {properties: {a: {type: string, format: uuid}}}", 6,
            "does not compile: `A.a` is `UUID?` now, not `String?`"
        ),
        (
            "A: {properties: {a: {type: string}}}", "A: {properties: {a: {type: string, format: sku}}}", 6,
            "does not compile: `A.a` is `SKU?` now, not `String?`"
        ),
        (
            "Money: {properties: {a: {type: string}}}", "Money: {properties: {a: {type: string}, b: {type: integer}}}",
            5, "may break at run time: `Money` stands for `{a: String?, b: Int?}` now, not `{a: String?}`"
        ),
        (
            "A: {properties: {a: {type: string, format: sku}}}", "A: {properties: {a: {type: integer, format: sku}}}",
            5, "may break at run time: `A.a` stands for `Int` now, not `String`"
        ),
        (
            "A: {additionalProperties: {type: string, format: sku}}",
            "A: {additionalProperties: {type: integer, format: sku}}", 5,
            "may break at run time: `A` stands for `Int` now, not `String`"
        ),
        ("Money: {properties: {a: {}}}", "Money: {properties: {a: {title: A b}}}", 0, "no change"),
    ])
    func `the types of the configuration count for both documents`(
        _ old: String, _ new: String, _ code: Int32, _ line: String
    ) throws {
        let formats = #"{"uuid": "UUID", "sku": {"type": "SKU"}}"#
        let configuration = #"{"formats": \#(formats), "types": {"Money": {"type": "Money"}}}"#
        let files = [
            "old.yaml": Self.document(schemas: old), "new.yaml": Self.document(schemas: new), "c.json": configuration,
        ]
        let result = try run(files, ["old.yaml", "new.yaml", "--config", "c.json"])
        #expect(result.code == code)
        #expect(result.lines.first?.hasPrefix(line) == true, "\(result.lines)")
    }

    @Test func `the usage has the options of diff`() {
        var lines: [String] = []
        #expect(GeneratorCommand { lines.append($0) }.run(["diff", "--help"]) == 0)
        #expect(lines.joined().contains("errand-openapi diff OLD NEW [--config FILE]"))
    }
}
