import Errand
import TestSupport
import Testing

/// The program as a process, if it was built beside the tests.
@Suite(.hangGuard, .enabled(if: Executable.url != nil)) struct `The built program` {
    @Test func `the program writes the tour to its standard output`() async throws {
        let (end, out, errors) = try await Executable.run()
        #expect(end == .exit(0))
        #expect(out.hasPrefix("A tour of Errand"))
        #expect(errors == "")
    }

    @Test func `the JSON option writes only JSON to the standard output`() async throws {
        let (end, out, errors) = try await Executable.run("users", "--id", "1", "--json")
        #expect(end == .exit(0))
        #expect(throws: Never.self) { try JSONSerialization.jsonObject(with: Data(out.utf8)) }
        #expect(errors.hasPrefix("→ GET /users/1  200 "))
    }

    @Test func `a usage error is written to the standard error with its exit code`() async throws {
        let (end, out, errors) = try await Executable.run("frogs")
        #expect(end == .exit(64))
        #expect(out == "")
        #expect(errors.hasPrefix("placeholder: unknown word \"frogs\""))
    }

    @Test func `browse shows a page for each line of the standard input`() async throws {
        let (end, out, errors) = try await Executable.run("browse", "users", "--page-size", "4", input: "\n\n")
        #expect(end == .exit(0))
        #expect(out.contains("5 to 8 of 10 users"))
        #expect(!out.contains("9 to 10 of 10 users"))
        #expect(errors == "")
    }
}

/// The product `placeholder`.
enum Executable {
    /// The program beside the test bundle, or beside the folder that contains it; `nil` if it was not built.
    static let url: URL? = {
        var folder = URL(fileURLWithPath: CommandLine.arguments[0])
        for _ in 1...4 {
            folder.deleteLastPathComponent()
            let program = folder.appendingPathComponent("placeholder")
            if FileManager.default.isExecutableFile(atPath: program.path) { return program }
        }
        return nil
    }()

    /// Runs the program to its end, with an empty environment. Its input must fit into a pipe.
    static func run(
        _ arguments: String..., input: String = ""
    ) async throws -> (end: ChildProcess.End, output: String, errors: String) {
        try await start(arguments, input: input).result()
    }

    static func start(_ arguments: [String], input: String = "") throws -> ChildProcess {
        try ChildProcess(try #require(url), arguments, environment: [:], input: Data(input.utf8))
    }
}
