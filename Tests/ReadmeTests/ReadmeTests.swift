import Errand
import ErrandTesting
import Testing

/// Every Swift sample of the README appears, line by line, in a file of `Samples`, which is compiled with this target.
struct `The README` {
    @Test func `every Swift sample of the README is compiled`() throws {
        let samples = try Self.samples(in: String(contentsOf: Self.file("../../README.md"), encoding: .utf8))
        let compiled = try FileManager.default
            .contentsOfDirectory(at: Self.file("Samples"), includingPropertiesForKeys: nil)
            .filter { $0.pathExtension == "swift" }
            .map { Self.lines(of: try String(contentsOf: $0, encoding: .utf8)) }
        #expect(samples.count > 3)
        for sample in samples {
            // A sample may consist of several pieces of one file, in order, such as a type and the line that uses it.
            let isCompiled = compiled.contains { file in
                Self.paragraphs(of: sample).allSatisfy { paragraph in file.contains(paragraph) }
            }
            #expect(isCompiled, "not in Samples: \(sample)")
        }
    }

    @Test func `the README shows printed errors exactly`() async throws {
        let readme = try String(contentsOf: Self.file("../../README.md"), encoding: .utf8)
        let request = BooksRequest(author: "Le Guin")
        request.dataTaskPipeline = request.stubJSONResponse(
            data: Data(
                #"[{"id":1,"title":""},{"id":1,"title":""},{"id":1,"title":""},{"id":1,"title":null}]"#.utf8))
        let undecodable = try #require(await request.start().result.failure)
        #expect(readme.contains("\(undecodable)"))
        request.dataTaskPipeline = request.stub(error: URLError(.cannotConnectToHost))
        let unreachable = try #require(await request.start().result.failure)
        #expect(readme.contains("\(unreachable)"))
    }

    @Test func `the README has at most 200 lines`() throws {
        let readme = try String(contentsOf: Self.file("../../README.md"), encoding: .utf8)
        #expect(readme.split(separator: "\n", omittingEmptySubsequences: false).count - 1 <= 200)
    }

    @Test func `the README has the figures of the performance guide`() throws {
        let readme = try String(contentsOf: Self.file("../../README.md"), encoding: .utf8)
            .replacing("\n", with: " ")
        let guide = try String(
            contentsOf: Self.file("../../Sources/Errand/Errand.docc/Performance.md"), encoding: .utf8)
        let section = try #require(
            guide.components(separatedBy: "\n## ").first { $0.hasPrefix("Typed requests and JSON\n") })
        let ratios = section.matches(of: /Errand, the transport's executor \|[^|]*\|[^|]*\| ([0-9.]+) times/).map(\.1)
        let date = try #require(section.firstMatch(of: /\d{4}-\d{2}-\d{2}/)?.output)
        #expect(ratios.count == 2)
        let sentence =
            "takes \(ratios[0]) times less CPU time than with async-http-client and Foundation's `JSONDecoder`, "
            + "at 16 requests at once, and \(ratios[1]) times less at 64 (on the transport's executor, \(date))"
        #expect(readme.contains(sentence))
    }

    @Test func `the README has a picture drawn from the performance guide`() throws {
        let guide = try String(
            contentsOf: Self.file("../../Sources/Errand/Errand.docc/Performance.md"), encoding: .utf8)
        let picture = try String(
            contentsOf: Self.file("../../Sources/Errand/Errand.docc/Resources/typed-requests.svg"), encoding: .utf8)
        let section = try #require(
            guide.components(separatedBy: "\n## ").first { $0.hasPrefix("Typed requests and JSON\n") })
        let rows = section.matches(
            of: /(?:Errand, the transport's executor|async-http-client|`URLSession`) \|[^|]*\| (\d+) \|/)
        #expect(rows.count == 6)
        for row in rows { #expect(picture.contains(">\(row.1) us<"), "run Tests/Peers/draw.py") }
    }

    @Test func `the README has no link to a missing file`() throws {
        let readme = try String(contentsOf: Self.file("../../README.md"), encoding: .utf8)
        let targets = readme.matches(of: /\]\(([^)#:]+)\)/).map { String($0.1) }
        #expect(targets.count > 30)
        for target in targets {
            #expect(FileManager.default.fileExists(atPath: Self.file("../../\(target)").path), "\(target)")
        }
    }

    @Test func `the guide to cassettes shows the difference of an unrecorded request exactly`() async throws {
        let guide = try String(
            contentsOf: Self.file("../../Sources/ErrandTesting/ErrandTesting.docc/Cassettes.md"), encoding: .utf8)
        let cassette = Cassette(at: Self.file("Samples/Cassettes/books.har"))
        let failure = await #expect(throws: ErrandError.self) {
            try await cassette.run { try await BooksRequest(author: "Lem").start().value }
        }
        #expect(guide.contains("\(try #require(failure))"), "\(failure as Any)")
    }

    private static func file(_ path: String) -> URL {
        URL(fileURLWithPath: #filePath).deletingLastPathComponent().appendingPathComponent(path).standardized
    }

    private static func samples(in readme: String) -> [String] {
        readme.components(separatedBy: "```swift\n").dropFirst().compactMap {
            $0.components(separatedBy: "\n```").first
        }
    }

    private static func paragraphs(of sample: String) -> [String] {
        sample.components(separatedBy: "\n\n").map(lines)
    }

    /// The lines without their indentation, which differs from place to place.
    private static func lines(of text: String) -> String {
        text.split(separator: "\n").map { $0.trimmingCharacters(in: .whitespaces) }.joined(separator: "\n")
    }
}

extension Result {
    fileprivate var failure: Failure? {
        guard case .failure(let failure) = self else { return nil }
        return failure
    }
}
