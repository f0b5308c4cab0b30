import Foundation
import Testing

/// Sees that the Swift samples of a page stand, paragraph by paragraph, in a file that is compiled.
enum GuideSamples {
    static func check(page: String, compiledIn file: String) throws {
        let root = (0..<4).reduce(URL(fileURLWithPath: file)) { url, _ in url.deletingLastPathComponent() }
        let text = try String(
            contentsOf: root.appendingPathComponent("Sources/Errand/Errand.docc/\(page).md"), encoding: .utf8)
        let compiled = condensed(try String(contentsOfFile: file, encoding: .utf8))
        let samples = text.components(separatedBy: "```swift\n").dropFirst()
            .compactMap { $0.components(separatedBy: "\n```").first }
        #expect(samples.count >= 4)
        for paragraph in samples.flatMap({ $0.components(separatedBy: "\n\n") }) {
            let isCompiled = compiled.contains(condensed(paragraph))
            #expect(isCompiled, "not compiled: \(paragraph)")
        }
    }

    /// Without white space: lines are broken elsewhere where a sample is indented.
    private static func condensed(_ text: String) -> String {
        String(text.filter { !$0.isWhitespace })
    }
}
