import Errand
import Testing

/// The code that `BulletinTests` test is the code that a reader of the tutorial has at its end.
struct `The tutorial` {
    private static let root = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
        .appendingPathComponent("../..").standardized
    private static let tutorials = root.appendingPathComponent("Sources/Errand/Errand.docc/Tutorials")

    /// The files of all steps, each name with its files in order.
    private static func steps() throws -> [String: [URL]] {
        let files = try FileManager.default
            .contentsOfDirectory(at: tutorials.appendingPathComponent("Resources"), includingPropertiesForKeys: nil)
            .filter { $0.pathExtension == "swift" }
            .sorted { $0.lastPathComponent < $1.lastPathComponent }
        return Dictionary(grouping: files) { String($0.lastPathComponent.drop { $0 != "-" }.dropFirst()) }
    }

    @Test func `the last step of each tutorial file is compiled and tested`() throws {
        let last = try Self.steps().compactMapValues(\.last)
            .filter { !["Package.swift", "main.swift"].contains($0.key) }
        #expect(last.count > 5)
        for (name, step) in last {
            let folder = name.hasSuffix("Tests.swift") ? "BulletinTests" : "Bulletin"
            let compiled = Self.root.appendingPathComponent("Tests/Tutorial/\(folder)/\(name)")
            #expect(
                try String(contentsOf: compiled, encoding: .utf8) == String(contentsOf: step, encoding: .utf8),
                "\(name)")
        }
    }

    @Test func `the tutorial shows every step`() throws {
        let pages = try FileManager.default.contentsOfDirectory(at: Self.tutorials, includingPropertiesForKeys: nil)
            .filter { $0.pathExtension == "tutorial" }
            .map { try String(contentsOf: $0, encoding: .utf8) }
            .joined()
        let files = try Self.steps().values.flatMap { $0 }.map(\.lastPathComponent)
        #expect(files.count > 10)
        for file in files { #expect(pages.contains("file: \"\(file)\""), "\(file)") }
    }
}
