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

    // MARK: Links

    /// Calls a function with a new output folder and a folder outside of it, which has the file `mine`.
    private func withOutside(_ body: (_ output: URL, _ outside: URL) throws -> Void) throws {
        try withFolder { url in
            let (output, outside) = (url.appending(path: "output"), url.appending(path: "outside"))
            for folder in [output, outside] {
                try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
            }
            try "mine".write(to: outside.appending(path: "mine"), atomically: true, encoding: .utf8)
            try body(output, outside)
            #expect(try FileManager.default.contentsOfDirectory(atPath: outside.path) == ["mine"])
            #expect(try String(contentsOf: outside.appending(path: "mine"), encoding: .utf8) == "mine")
        }
    }

    private func link(_ link: URL, to target: URL) throws {
        try FileManager.default.createSymbolicLink(at: link, withDestinationURL: target)
    }

    @Test(arguments: [false, true])
    func `a listed file in a linked folder is not removed`(_ force: Bool) throws {
        try withOutside { output, outside in
            try link(output.appending(path: "Models"), to: outside)
            try #"{"Models/mine": "0"}"#.write(
                to: output.appending(path: OutputFolder.listName), atomically: true, encoding: .utf8)
            #expect {
                try write(["A.swift": "a"], to: output, force: force)
            } throws: { error in
                guard case OutputFolder.Failure.unwritable(let path, let reason) = error else { return false }
                return path == "Models/mine" && "\(reason)".contains("output/Models is a symbolic link")
            }
            #expect(try files(of: output).isEmpty)
        }
    }

    @Test(arguments: ["Models/B.swift", "Models/Inner/B.swift"])
    func `no file is written into a linked folder`(_ path: String) throws {
        try withOutside { output, outside in
            try link(output.appending(path: "Models"), to: outside)
            #expect(throws: OutputFolder.Failure.self) {
                try write(["A.swift": "a", path: "b"], to: output, force: true)
            }
            #expect(try files(of: output).isEmpty)
        }
    }

    @Test func `a transaction refuses a path through a linked folder itself`() throws {
        try withOutside { output, outside in
            try link(output.appending(path: "Models"), to: outside)
            var transaction = FileTransaction()
            #expect(throws: FileTransaction.Failure.self) {
                try transaction.write("b", to: "Models/B.swift", in: output)
            }
            #expect(throws: FileTransaction.Failure.self) { try transaction.remove("Models/mine", in: output) }
            try transaction.commit()
        }
    }

    @Test func `a listed path that leads out of the folder is ignored`() throws {
        try withOutside { output, outside in
            for path in ["../outside/mine", "Models/../../outside/mine", "\(outside.path)/mine"] {
                try #"{"\#(path)": "0"}"#.write(
                    to: output.appending(path: OutputFolder.listName), atomically: true, encoding: .utf8)
                #expect(try write(["A.swift": "a"], to: output, force: true).removed.isEmpty)
            }
        }
    }

    @Test(arguments: ["mine", "missing"])
    func `a link in the place of a temporary file or a backup is not followed`(_ name: String) throws {
        try withOutside { output, outside in
            _ = try write(["A.swift": "a"], to: output)
            for suffix in ["errand-new", "errand-old"] {
                for file in ["A.swift", OutputFolder.listName] {
                    try link(output.appending(path: "\(file).\(suffix)"), to: outside.appending(path: name))
                }
            }
            _ = try write(["A.swift": "a2"], to: output)
            #expect(try String(contentsOf: output.appending(path: "A.swift"), encoding: .utf8) == "a2")
            #expect(try FileManager.default.contentsOfDirectory(atPath: output.path).count == 2)
        }
    }

    @Test(arguments: ["mine", "missing"])
    func `a link in the place of a file counts as changed, and is replaced itself`(_ name: String) throws {
        try withOutside { output, outside in
            _ = try write(["A.swift": "a", "B.swift": "b"], to: output)
            for file in ["A.swift", "B.swift"] {
                try FileManager.default.removeItem(at: output.appending(path: file))
                try link(output.appending(path: file), to: outside.appending(path: name))
            }
            #expect {
                try write(["A.swift": "mine"], to: output)
            } throws: { error in
                guard case OutputFolder.Failure.edited(let paths) = error else { return false }
                return paths == ["A.swift", "B.swift"]
            }
            let changes = try write(["A.swift": "mine"], to: output, force: true)
            #expect(changes.written == ["A.swift"] && changes.removed == ["B.swift"])
            let kind = try FileManager.default.attributesOfItem(atPath: output.appending(path: "A.swift").path)[.type]
            #expect(kind as? FileAttributeType == .typeRegular)
        }
    }

    @Test func `a list that is a link is not read`() throws {
        try withOutside { output, outside in
            // A valid list, which only the link makes a fault.
            let list = output.deletingLastPathComponent().appending(path: "list")
            try "{}".write(to: list, atomically: true, encoding: .utf8)
            try link(output.appending(path: OutputFolder.listName), to: list)
            #expect {
                try write(["A.swift": "a"], to: output, force: true)
            } throws: { error in
                guard case OutputFolder.Failure.unreadable(_, let reason) = error else { return false }
                return "\(reason)".hasSuffix("is a symbolic link, which is not followed")
            }
            #expect(try String(contentsOf: list, encoding: .utf8) == "{}")
            #expect(try files(of: output).isEmpty)
        }
    }

    @Test func `an output folder can be a link itself`() throws {
        try withFolder { url in
            try FileManager.default.createDirectory(
                at: url.appending(path: "real"), withIntermediateDirectories: true)
            try link(url.appending(path: "output"), to: url.appending(path: "real"))
            _ = try write(["Models/A.swift": "a"], to: url.appending(path: "output"))
            #expect(try files(of: url.appending(path: "real")) == ["Models/A.swift"])
        }
    }
}
