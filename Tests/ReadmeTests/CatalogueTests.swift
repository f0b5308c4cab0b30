import Errand
import Testing

/// The front page of a product's documentation is where a reader looks up a name.
struct `The front page of the documentation` {
    private static let products = [
        "ErrandJSON", "Errand", "ErrandWebSocket", "ErrandAuth", "ErrandResilience", "ErrandWebSocketTesting",
        "ErrandMockServer",
    ]

    private static func file(_ path: String) -> URL {
        URL(fileURLWithPath: #filePath).deletingLastPathComponent().appendingPathComponent("../../\(path)").standardized
    }

    private static func text(_ path: String) throws -> String {
        try String(contentsOf: file(path), encoding: .utf8)
    }

    @Test(arguments: products) func `the main page of the documentation lists every public type`(
        _ product: String
    ) throws {
        let page = try Self.text("Sources/\(product)/\(product).docc/\(product).md")
        let listed = Set(page.matches(of: #/- ``(\w+)``/#).map { String($0.1) })
        var declared: Set<String> = []
        let sources = try #require(
            FileManager.default.enumerator(at: Self.file("Sources/\(product)"), includingPropertiesForKeys: nil))
        for case let source as URL in sources where source.pathExtension == "swift" {
            let text = try String(contentsOf: source, encoding: .utf8)
            let kinds = #/(?m)^(?:public|open) (?:final |indirect )*(?:actor|class|enum|protocol|struct) (\w+)/#
            for match in text.matches(of: kinds) { declared.insert(String(match.1)) }
        }
        #expect(!declared.isEmpty)
        #expect(declared.subtracting(listed).sorted() == [])
        // Extensions of Foundation's types are listed by their own path.
        #expect(listed.subtracting(declared).sorted() == [])
    }

    @Test(arguments: ["Errand", "ErrandAuth", "ErrandResilience", "ErrandTesting"])
    func `the main page of the documentation links to every guide`(
        _ product: String
    ) throws {
        let page = try Self.text("Sources/\(product)/\(product).docc/\(product).md")
        let guides = try FileManager.default
            .contentsOfDirectory(atPath: Self.file("Sources/\(product)/\(product).docc").path)
            .filter { $0.hasSuffix(".md") && $0 != "\(product).md" }
        for guide in guides { #expect(page.contains("- <doc:\(guide.dropLast(3))>\n"), "\(guide)") }
    }

    /// A guide, and the file that declares the codes in it.
    static let codes = [
        ("Errand/Errand.docc/Errors.md", "Errand/Errors/ErrandError+Code.swift"),
        ("ErrandWebSocket/ErrandWebSocket.docc/ErrandWebSocket.md", "ErrandWebSocket/ErrandError+WebSocket.swift"),
        ("ErrandResilience/ErrandResilience.docc/Limiting.md", "ErrandResilience/ErrandError+Refusal.swift"),
    ]

    @Test(arguments: codes) func `a guide has every error code of its product`(_ guide: String, _ file: String) throws {
        let guide = try Self.text("Sources/\(guide)")
        let codes = try Self.text("Sources/\(file)")
            .matches(of: #/public static let (\w+) = ErrandError\.Code/#).map { String($0.1) }
        #expect(codes.count > 2)
        for code in codes { #expect(guide.contains("`\(code)`"), "\(code)") }
    }
}
