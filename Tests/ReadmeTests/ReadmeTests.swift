import Errand
import ErrandTesting
import Testing

/// Every Swift sample of the README stands, line by line, in a file of `Samples`, which is compiled with this target.
struct `The README` {
    @Test func `has no Swift sample that is not compiled`() throws {
        let samples = try Self.samples(in: String(contentsOf: Self.file("../../README.md"), encoding: .utf8))
        let compiled = try FileManager.default
            .contentsOfDirectory(at: Self.file("Samples"), includingPropertiesForKeys: nil)
            .filter { $0.pathExtension == "swift" }
            .map { Self.lines(of: try String(contentsOf: $0, encoding: .utf8)) }
        #expect(samples.count > 5)
        for sample in samples {
            // A sample may be several pieces of one file, in order, such as a type and the line that uses it.
            let isCompiled = compiled.contains { file in
                Self.paragraphs(of: sample).allSatisfy { paragraph in file.contains(paragraph) }
            }
            #expect(isCompiled, "not in Samples: \(sample)")
        }
    }

    @Test func `prints errors as they are`() async throws {
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

    @Test func `shows what is different about a request that is not on a cassette`() async throws {
        let readme = try String(contentsOf: Self.file("../../README.md"), encoding: .utf8)
        let cassette = Cassette(at: Self.file("Samples/Cassettes/books.har"))
        let failure = await #expect(throws: ErrandError.self) {
            try await cassette.run { try await BooksRequest(author: "Lem").start().value }
        }
        #expect(readme.contains("\(try #require(failure))"), "\(failure as Any)")
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

    /// The lines without their indentation, which depends on where a sample stands.
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
