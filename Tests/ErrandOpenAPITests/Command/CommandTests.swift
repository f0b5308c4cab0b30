import Foundation
import Testing

@testable import ErrandOpenAPI

@Suite struct CommandTests {
    private static let document = """
        openapi: 3.1.0
        info: {title: Shop, version: '1'}
        paths:
          /items: {get: {operationId: listItems, responses: {'204': {description: None.}}}}
        """

    /// Runs the command in a new folder with a document and a configuration; `FOLDER` in a word is its path.
    private func run(
        _ configuration: String, _ runs: [[String]], _ document: String = Self.document
    ) throws -> [(code: Int32, lines: [String])] {
        let folder = FileManager.default.temporaryDirectory.appending(path: "errand-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        try Data(document.utf8).write(to: folder.appending(path: "shop.yaml"))
        try Data(configuration.utf8).write(to: folder.appending(path: "errand-openapi.json"))
        return runs.map { words in
            var lines: [String] = []
            let code = GeneratorCommand { lines.append($0) }.run(
                ["--config", folder.appending(path: "errand-openapi.json").path] + words)
            return (code, lines.map { $0.replacing(folder.path, with: "FOLDER") })
        }
    }

    @Test(arguments: [
        (#"{"document": "shop.yaml", "acess": "package"}"#, "`acess` is unknown; did you mean `access`?"),
        (#"{"document": "shop.yaml", "operation": []}"#, "`operation` is unknown; did you mean `operations`?"),
        (#"{"document": "shop.yaml", "colour": 1}"#, "`colour` is unknown"),
        (##"{"document": "shop.yaml", "names": {"#/paths": "a b"}}"##, "\"a b\" is not a name in Swift"),
        (#"{"formats": {"a": "Decimale"}}"#, "\"Decimale\" is unknown; did you mean `Decimal`?"),
        (
            #"{"types": {"A": "Money"}}"#,
            #""Money" is unknown; a custom type is {"type": "Money", "import": "MoneyKit"}"#
        ),
        (#"{"types": {"A": {"typ": "Money"}}}"#, "`typ` of a custom type is unknown; did you mean `type`?"),
        (#"{"types": {"A": {"import": "MoneyKit"}}}"#, "a custom type needs a `type`"),
        (#"{"types": {"A": {"type": "a b"}}}"#, "\"a b\" is not a type in Swift"),
        (#"{"types": {"A": {"type": "B", "import": "a-b"}}}"#, "\"a-b\" is not a module in Swift"),
    ])
    func `a faulty key of the configuration is one line, with the key that is most like it`(
        _ configuration: String, _ fault: String
    ) throws {
        let result = try run(configuration, [[]])[0]
        #expect(result.code == 2)
        #expect(result.lines == ["error: FOLDER/errand-openapi.json: \(fault)"])
    }

    @Test func `an unknown option is an error, with the option that is most like it`() throws {
        let results = try run("{}", [["--dryrun"], ["--colour"]])
        #expect(results.map(\.code) == [2, 2])
        #expect(results[0].lines == ["error: `--dryrun` is unknown; did you mean `--dry-run`?"])
        #expect(results[1].lines == ["error: `--colour` is unknown", Arguments.usage])
    }

    @Test func `a client of types only has no requests to count`() throws {
        let document = "openapi: 3.1.0\ninfo: {title: Shop, version: '1'}\ncomponents: {schemas: {A: {type: string}}}"
        let configuration = #"{"document": "shop.yaml", "schemas": ["A"]}"#
        let results = try run(configuration, [[], ["--schema", "b"]], document)
        #expect(results.map(\.code) == [0, 2])
        #expect(results[0].lines == ["ShopAPI: 1 type; 1 of 1 files written, 0 removed"])
        #expect(results[1].lines.first == "error: no schema has the name \"b\"; did you mean A? [configuration]")
    }

    @Test(arguments: [#""tags": ["pets"]"#, #""paths": ["/pets"]"#, #""operations": ["listPets"]"#])
    func `a configuration selects operations`(_ selection: String) throws {
        let document =
            Self.document + "\n"
            + "  /pets: {get: {operationId: listPets, tags: [pets], responses: {'204': {description: None.}}}}"
        let results = try run(#"{"document": "shop.yaml", \#(selection)}"#, [[]], document)
        #expect(results.map(\.code) == [0])
        #expect(results[0].lines.first?.hasPrefix("ShopAPI: 1 request, ") == true)
    }

    @Test func `a run that succeeds says in one line what it wrote`() throws {
        let configuration = #"{"document": "shop.yaml", "output": "Shop", "tests": "ShopTests"}"#
        let results = try run(configuration, [[], [], ["--check"], ["--dry-run"]])
        #expect(results.map(\.code) == [0, 0, 0, 0])
        let head = "ShopAPI: 1 request, 0 of them lists with pages, 0 types; "
        #expect(results[0].lines == [head + "4 of 4 files written, 0 removed"])
        #expect(results[1].lines == [head + "0 of 4 files written, 0 removed"])
        #expect(results[2].lines == ["ShopAPI: 4 files are up to date"])
        #expect(results[3].lines == ["ShopAPI: 4 files are up to date"])
    }
}
