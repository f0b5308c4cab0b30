@testable import ErrandOpenAPI

/// The files and messages of a document.
struct Generated {
    let files: [String: String]
    let tests: [String: String]
    /// The stubs, which are written when they are needed.
    var stubs: [String: String] { client.map { StubFiles($0).files() } ?? [:] }
    let messages: [String]
    let client: ClientModel?

    /// - Parameter others: The texts of other files by their names.
    init(_ text: String, others: [String: String] = [:], options: ClientModel.Options = ClientModel.Options()) {
        let diagnostics = Diagnostics()
        let name = text.hasPrefix("{") ? "api.json" : "api.yaml"
        let texts = others.merging([name: text]) { first, _ in first }
        let loader = Loader(diagnostics) { path in
            guard let text = texts[path] else { throw MissingFile() }
            return Array(text.utf8)
        }
        let document = APIDocument(name, loader, filter: options.filter)
        client = document.map { ClientModel($0, options) }
        files = client.map { ClientWriter($0).files() } ?? [:]
        tests = client.map { TestFiles($0).files() } ?? [:]
        messages = diagnostics.all.map(\.description)
    }

    /// Generates a document with these schemas.
    init(schemas: String, options: ClientModel.Options = ClientModel.Options()) {
        let lines = schemas.split(separator: "\n").map { "    \($0)" }.joined(separator: "\n")
        let head = "openapi: 3.1.0\ninfo: {title: Test, version: '1'}\npaths: {}\ncomponents:\n  schemas:\n"
        self.init(head + lines, options: options)
    }

    /// Generates a document with the operation `GET /items`.
    init(operation: String, components: String = "") {
        let lines = operation.split(separator: "\n").map { "      \($0)" }.joined(separator: "\n")
        let head =
            "openapi: 3.1.0\ninfo: {title: Test, version: '1'}\nservers: [{url: 'https://example.com'}]\npaths:\n"
        let more = components.split(separator: "\n").map { "  \($0)" }.joined(separator: "\n")
        self.init(
            head + "  /items:\n    get:\n      operationId: items\n" + lines
                + (more.isEmpty ? "" : "\ncomponents:\n" + more))
    }

    /// The declarations in a file, without its first lines.
    func code(_ file: String) -> String {
        guard let text = files[file] else { return "no \(file)" }
        let lines = text.split(separator: "\n", omittingEmptySubsequences: false)
        return lines.drop { $0.hasPrefix("//") && !$0.hasPrefix("///") || $0.contains("import ") || $0.isEmpty }
            .joined(separator: "\n").trimmingSuffix("\n")
    }

    /// The lines of a file that declare stored properties, cases or another name.
    func members(_ file: String) -> [String] {
        code(file).split(separator: "\n").map { String($0.drop { $0 == " " }) }.filter { line in
            ["public var", "public typealias", "case ", "public static let"].contains { line.hasPrefix($0) }
                && !line.hasSuffix("{") && !line.contains("try ")
        }.map { $0.replacing("public ", with: "") }
    }

    private struct MissingFile: Error {}
}

extension String {
    fileprivate func trimmingSuffix(_ suffix: String) -> String {
        hasSuffix(suffix) ? String(dropLast(suffix.count)) : self
    }
}
