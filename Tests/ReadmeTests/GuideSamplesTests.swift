import Errand
import Testing

/// Every Swift sample of a guide appears in a source file that is compiled, mostly in a test of its feature. Each of
/// its declarations and each paragraph of its statements appears as a whole, in the sample's order. Between these
/// pieces, and where the sample has a line with `…`, the file may have other code.
struct `The guides` {
    @Test(arguments: try Self.pages()) func `every Swift sample of a guide is compiled`(_ page: URL) throws {
        let compiled = try Self.compiled.get()
        let text = try String(contentsOf: page, encoding: .utf8)
        for sample in Self.samples(in: text) {
            let pieces = Self.pieces(of: sample)
            let isCompiled = compiled.contains { Self.holds($0, pieces) }
            #expect(isCompiled, "\(page.lastPathComponent): \(sample)")
        }
    }

    @Test func `the guides have at least the expected number of samples`() throws {
        let pages = try Self.pages()
        #expect(pages.count > 20)
        #expect(try pages.reduce(0) { $0 + Self.samples(in: try String(contentsOf: $1, encoding: .utf8)).count } > 60)
    }

    /// The compiled source files, except for the sources of the libraries themselves.
    private static let compiled = Result {
        try ["Tests", "Sources/placeholder"].flatMap { try files(in: $0, "swift") }
            .map { condensed(try String(contentsOf: $0, encoding: .utf8)) + [0] }
    }

    private static func pages() throws -> [URL] {
        // The other guide there has samples of several clients.
        let stubs = try files(in: "Sources/ErrandOpenAPIRuntime/ErrandOpenAPIRuntime.docc", "md").filter {
            $0.lastPathComponent == "StubbingAnAPI.md"
        }
        return try [
            "ErrandJSON", "Errand", "ErrandWebSocket", "ErrandAuth", "ErrandResilience", "ErrandTesting",
            "ErrandWebSocketTesting", "ErrandMockServer", "ErrandTestingTraits",
        ].flatMap {
            try files(in: "Sources/\($0)/\($0).docc", "md")
        } + stubs
    }

    private static func files(in folder: String, _ kind: String) throws -> [URL] {
        let root = URL(fileURLWithPath: #filePath).deletingLastPathComponent().appendingPathComponent("../..")
            .standardized
        let found = FileManager.default.enumerator(
            at: root.appendingPathComponent(folder), includingPropertiesForKeys: nil)
        return try #require(found).compactMap { $0 as? URL }.filter { $0.pathExtension == kind }
            .sorted { $0.path < $1.path }
    }

    private static func samples(in page: String) -> [String] {
        page.components(separatedBy: "```swift\n").dropFirst().compactMap { $0.components(separatedBy: "\n```").first }
    }

    /// The declarations and paragraphs of a sample. A paragraph ends at an empty line outside braces, or at a line that
    /// marks an omission.
    private static func pieces(of sample: String) -> [[CChar]] {
        var pieces = [""]
        var depth = 0
        for line in sample.split(separator: "\n", omittingEmptySubsequences: false) {
            let text = line.trimmingCharacters(in: .whitespaces)
            if text == "…" || text.isEmpty && depth == 0 {
                pieces.append("")
            } else {
                pieces[pieces.count - 1] += line
                depth += line.count { $0 == "{" } - line.count { $0 == "}" }
            }
        }
        return pieces.map(condensed).filter { !$0.isEmpty }.map { $0 + [0] }
    }

    /// The search is done in C, because a long search would delay other tests that depend on time.
    private static func holds(_ file: [CChar], _ pieces: [[CChar]]) -> Bool {
        file.withUnsafeBufferPointer { file in
            var rest = file.baseAddress
            return pieces.allSatisfy { piece in
                rest = rest.flatMap { strstr($0, piece) }.map { UnsafePointer($0 + piece.count - 1) }
                return rest != nil
            }
        }
    }

    /// The text without white space, since indented samples have other line breaks.
    private static func condensed(_ text: some StringProtocol) -> [CChar] {
        text.utf8.filter { $0 > 0x20 }.map { CChar(bitPattern: $0) }
    }
}
