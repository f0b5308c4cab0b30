import Errand
import Testing

/// The program as a process, where it is built beside the tests.
@Suite(.timeLimit(.minutes(1)), .enabled(if: Executable.url != nil)) struct `The built program` {
    @Test func `writes the tour to its standard output`() async throws {
        let (status, out, errors) = try await Executable.run()
        #expect(status == 0)
        #expect(out.hasPrefix("A tour of Errand"))
        #expect(errors == "")
    }

    @Test func `writes JSON alone to its standard output`() async throws {
        let (status, out, errors) = try await Executable.run("users", "--id", "1", "--json")
        #expect(status == 0)
        #expect(throws: Never.self) { try JSONSerialization.jsonObject(with: Data(out.utf8)) }
        #expect(errors.hasPrefix("→ GET /users/1  200 "))
    }

    @Test func `writes its complaint to standard error, and exits accordingly`() async throws {
        let (status, out, errors) = try await Executable.run("frogs")
        #expect(status == 64)
        #expect(out == "")
        #expect(errors.hasPrefix("placeholder: unknown word \"frogs\""))
    }

    @Test func `shows a page for each line of its standard input`() async throws {
        let (status, out, errors) = try await Executable.run("browse", "users", "--page-size", "4", input: "\n\n")
        #expect(status == 0)
        #expect(out.contains("5 to 8 of 10 users"))
        #expect(!out.contains("9 to 10 of 10 users"))
        #expect(errors == "")
    }
}

/// The product `placeholder`.
enum Executable {
    /// Beside the test bundle, or beside what holds it; nil where it was not built.
    static let url: URL? = {
        var folder = URL(fileURLWithPath: CommandLine.arguments[0])
        for _ in 1...4 {
            folder.deleteLastPathComponent()
            let program = folder.appendingPathComponent("placeholder")
            if FileManager.default.isExecutableFile(atPath: program.path) { return program }
        }
        return nil
    }()

    /// Runs it to its end. What it reads and writes must fit into a pipe.
    static func run(
        _ arguments: String..., input: String = ""
    ) async throws -> (status: Int32, out: String, errors: String) {
        try await run(arguments, input: input)
    }

    static func run(
        _ arguments: [String], input: String = ""
    ) async throws -> (status: Int32, out: String, errors: String) {
        let program = try #require(url)
        let process = Process()
        let (lines, out, errors) = (Pipe(), Pipe(), Pipe())
        try lines.fileHandleForWriting.write(contentsOf: Data(input.utf8))
        try lines.fileHandleForWriting.close()
        process.executableURL = program
        process.arguments = arguments
        process.environment = [:]
        process.standardInput = lines
        process.standardOutput = out
        process.standardError = errors
        let status = try await withCheckedThrowingContinuation { continuation in
            process.terminationHandler = { continuation.resume(returning: $0.terminationStatus) }
            do {
                try process.run()
            } catch {
                process.terminationHandler = nil
                continuation.resume(throwing: error)
            }
        }
        let texts = try [out, errors].map { pipe in
            String(decoding: try pipe.fileHandleForReading.readToEnd() ?? Data(), as: UTF8.self)
        }
        return (status, texts[0], texts[1])
    }
}
