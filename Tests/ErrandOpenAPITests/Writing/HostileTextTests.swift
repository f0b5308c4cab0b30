import Foundation
import Testing

@testable import ErrandOpenAPI

/// No text of a document becomes code, and none is invisible. The compiler's own syntax trees are compared.
@Suite struct HostileTextTests {
    /// The files of a client, of its tests and of its stubs.
    private static func files(_ document: String) -> [String: String] {
        var options = ClientModel.Options()
        // A Swift enum.
        options.closed = ["#/components/schemas/C"]
        let generated = Generated(document, options: options)
        let tests = generated.tests.merging(generated.stubs) { first, _ in first }.map { ("Tests/\($0)", $1) }
        return generated.files.merging(tests) { first, _ in first }
    }

    /// Parses the files of clients, and returns how often each has declarations of each kind, and what is wrong.
    private static func declarations(
        of clients: [[String: String]]
    ) throws -> (counts: [[String: Int]], faults: [String]) {
        let folder = FileManager.default.temporaryDirectory.appending(path: "errand-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        // Most files of two clients are the same, and are parsed once. Unequal bytes can be equal strings.
        let clients = clients.map { $0.values.map { Data($0.utf8) } }
        let texts = Array(Set(clients.joined()))
        var paths: [String] = []
        for (index, text) in texts.enumerated() {
            let path = folder.appending(path: "f\(index).swift")
            try text.write(to: path)
            paths.append(path.path)
        }
        // The compiler prints the tree of primary files only.
        let list = folder.appending(path: "files")
        try Data(paths.map { "-primary-file\n\($0)\n" }.joined().utf8).write(to: list)
        let tree = folder.appending(path: "tree")
        let messages = folder.appending(path: "messages")
        for url in [tree, messages] { try Data().write(to: url) }
        let process = Process()
        process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
        process.arguments = ["swiftc", "-frontend", "-dump-parse", "-swift-version", "6", "@\(list.path)"]
        process.standardOutput = try FileHandle(forWritingTo: tree)
        process.standardError = try FileHandle(forWritingTo: messages)
        try process.run()
        process.waitUntilExit()
        var faults = try String(contentsOf: messages, encoding: .utf8).split(separator: "\n").map(String.init)
        if process.terminationStatus != 0 { faults.append("the compiler ended with \(process.terminationStatus)") }
        var countsOfText: [Data: [String: Int]] = [:]
        let trees = String(decoding: try Data(contentsOf: tree), as: UTF8.self)
        for tree in trees.split(separator: "(source_file \"") {
            let name = tree.prefix { $0 != "\"" }.split(separator: "/").last ?? ""
            var counts = ["file": 1]
            for line in tree.utf8.split(separator: UInt8(ascii: "\n")) {
                let node = line.drop { $0 == UInt8(ascii: " ") }.dropFirst()
                let kind = String(Substring(node.prefix { $0 > 0x5A }))
                if kind.hasSuffix("_decl") { counts[kind, default: 0] += 1 }
                let isCode = kind.hasSuffix("_decl") || kind.hasSuffix("_expr") || kind.hasPrefix("pattern")
                guard isCode, kind != "string_literal_expr" else { continue }
                let text = String(Substring(node))
                if text.contains("name=\"print\"") || text.contains("\"pwned\"") { faults.append("\(name): \(text)") }
            }
            let index = try #require(Int(name.dropFirst().prefix { $0.isNumber }))
            countsOfText[texts[index]] = counts
        }
        let counts = clients.map { client in
            client.reduce(into: [:]) { $0.merge(countsOfText[$1] ?? [:], uniquingKeysWith: +) }
        }
        return (counts, faults)
    }

    /// Compares the declarations of documents with a mark with those of documents with a harmless text.
    private static func compare(_ marks: [(name: String, mark: String)], in place: Int? = nil) throws {
        let texts = Set(marks.flatMap { [HostileDocument.text($0.mark), HostileDocument.harmless($0.mark)] }).sorted()
        let (counts, faults) = try declarations(of: texts.map { files(HostileDocument.document($0, in: place)) })
        #expect(faults.isEmpty)
        let found = Dictionary(uniqueKeysWithValues: zip(texts, counts))
        for mark in marks {
            let count = try #require(found[HostileDocument.text(mark.mark)])
            #expect(count == found[HostileDocument.harmless(mark.mark)] && count.count > 8, "\(mark.name)")
        }
    }

    @Test func `no text of a document becomes code`() throws {
        try Self.compare(HostileDocument.marks)
    }

    /// Each mark in each place, in a deep check.
    private static let deepPlaces =
        ProcessInfo.processInfo.environment["ERRAND_DEEP"] == "openapi" ? HostileDocument.places : 0

    @Test(arguments: 0..<deepPlaces)
    func `no text in one place of a document becomes code`(_ place: Int) throws {
        try Self.compare(HostileDocument.marks, in: place)
    }

    @Test func `generated files have no invisible characters and no line separators but LF`() {
        for mark in HostileDocument.marks {
            for (path, text) in Self.files(HostileDocument.document(HostileDocument.text(mark.mark))) {
                let found = (path + text).unicodeScalars.filter { scalar in
                    let category = scalar.properties.generalCategory
                    return scalar != "\n"
                        && [.control, .format, .lineSeparator, .paragraphSeparator].contains(category)
                }
                #expect(found.isEmpty, "\(mark.name): \(path)")
            }
        }
    }

    @Test func `a line of code stays one line, and shows what is invisible`() {
        var writer = CodeWriter()
        writer.line("a\nb\rc\r\nd\u{2028}e\u{2029}f\u{85}g\u{B}h\u{C}i\tj")
        writer.documentation("a\nb\rc\r\nd\u{2028}e\u{2029}f\u{85}g\u{B}h\u{C}i\tj")
        writer.line("\u{0}\u{202E}\u{2066}\u{FEFF}\u{E0041}\u{7F}a\u{200D}b👩‍👩‍👧 é")
        #expect(
            writer.text == """
                a b c d e f g h i j
                /// a b c d e f g h i j
                \\u{0}\\u{202E}\\u{2066}\\u{FEFF}\\u{E0041}\\u{7F}a\\u{200D}b👩‍👩‍👧 é

                """)
    }

    @Test(arguments: [
        ("a", "#\"a\"#"), ("\"#", "##\"\"#\"##"), ("\"#\u{301}", "##\"\"#\u{301}\"##"),
        ("#\\##\"", "###\"#\\##\"\"###"),
    ])
    func `a raw literal has more signs than its text`(_ text: String, _ literal: String) {
        #expect(text.rawLiteral.unicodeScalars.elementsEqual(literal.unicodeScalars))
    }
}
