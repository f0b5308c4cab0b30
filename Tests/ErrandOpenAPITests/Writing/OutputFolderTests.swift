import Foundation
import Testing

@testable import ErrandOpenAPI

@Suite struct OutputFolderTests {
    /// Calls a function with the path of a new folder, and removes the folder.
    private func withFolder(_ body: (URL) throws -> Void) throws {
        let url = FileManager.default.temporaryDirectory.appending(path: "errand-\(UUID().uuidString)")
        defer { try? FileManager.default.removeItem(at: url) }
        try body(url)
    }

    private func write(_ files: [String: String], to url: URL, force: Bool = false) throws -> OutputFolder.Changes {
        try OutputFolder.write([OutputFolder(url.path, files: files)], force: force)
    }

    private func files(of url: URL) throws -> [String] {
        try FileManager.default.subpathsOfDirectory(atPath: url.path).filter { $0.hasSuffix("swift") }.sorted()
    }

    @Test func `a run writes what has changed and removes what is not generated any more`() throws {
        try withFolder { url in
            let both = ["A.swift": "a", "Models/B.swift": "b"]
            #expect(try write(both, to: url).written == ["A.swift", "Models/B.swift"])
            #expect(try write(both, to: url).isEmpty)
            let changes = try write(["A.swift": "a2"], to: url)
            #expect(changes.written == ["A.swift"] && changes.removed == ["Models/B.swift"])
            #expect(try files(of: url) == ["A.swift"])
            #expect(try String(contentsOf: url.appending(path: "A.swift"), encoding: .utf8) == "a2")
            let all = try FileManager.default.subpathsOfDirectory(atPath: url.path)
            #expect(!all.contains { $0.hasSuffix("errand-old") || $0.hasSuffix("errand-new") })
        }
    }

    @Test func `a file that was edited stays as it is, unless it is forced`() throws {
        try withFolder { url in
            _ = try write(["A.swift": "a", "B.swift": "b"], to: url)
            let edited = url.appending(path: "A.swift")
            try "mine".write(to: edited, atomically: true, encoding: .utf8)
            #expect {
                try write(["A.swift": "a2", "B.swift": "b2"], to: url)
            } throws: { error in
                guard case OutputFolder.Failure.edited(let paths) = error else { return false }
                return paths == ["A.swift"]
            }
            #expect(try String(contentsOf: url.appending(path: "B.swift"), encoding: .utf8) == "b")
            _ = try write(["A.swift": "a2", "B.swift": "b2"], to: url, force: true)
            #expect(try String(contentsOf: edited, encoding: .utf8) == "a2")
        }
    }

    @Test func `a file that cannot be replaced leaves all files as they were`() throws {
        try withFolder { url in
            _ = try write(["A.swift": "a"], to: url)
            try FileManager.default.createDirectory(
                at: url.appending(path: "B.swift/Inner"), withIntermediateDirectories: true)
            #expect(throws: OutputFolder.Failure.self) {
                try write(["A.swift": "a2", "B.swift": "b"], to: url, force: true)
            }
            #expect(try String(contentsOf: url.appending(path: "A.swift"), encoding: .utf8) == "a")
        }
    }
}
