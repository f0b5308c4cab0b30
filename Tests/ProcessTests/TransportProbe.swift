import Errand
import ErrandMockServer
import ErrandTesting
import TestSupport
import Testing

/// The program `transport-probe`, as a separate process.
enum TransportProbe {
    /// The program beside the test bundle, or beside the folder that contains it; `nil` if it was not built.
    static let url: URL? = {
        var folder = URL(fileURLWithPath: CommandLine.arguments[0])
        for _ in 1...4 {
            folder.deleteLastPathComponent()
            let program = folder.appendingPathComponent("transport-probe")
            if FileManager.default.isExecutableFile(atPath: program.path) { return program }
        }
        return nil
    }()

    /// Starts the program.
    ///
    /// - Parameters:
    ///   - word: The argument that selects what the program does.
    ///   - server: The server that it connects to.
    ///   - authority: The certificate authority that it trusts, as PEM.
    static func start(_ word: String, _ server: URL, authority: Data? = nil) throws -> ChildProcess {
        var environment: [String: String] = [:]
        environment["AUTHORITY"] = authority.map { String(decoding: $0, as: UTF8.self) }
        let own = ProcessInfo.processInfo.environment
        for name in ["ASAN_OPTIONS", "TSAN_OPTIONS", "LD_LIBRARY_PATH"] { environment[name] = own[name] }
        environment["LD_PRELOAD"] = own["ERRAND_SLOW_NAMES"]
        return try ChildProcess(try #require(url), [word, server.absoluteString], environment: environment)
    }

    /// Runs the program to its end.
    ///
    /// - Returns: Its exit code or signal, the lines that it wrote, and its errors.
    static func run(
        _ word: String, _ server: MockServer
    ) async throws -> (end: ChildProcess.End, lines: [String], errors: String) {
        let process = try start(word, server.url, authority: server.certificateAuthority)
        let (end, output, errors) = try await process.result()
        return (end, output.split(separator: "\n").map(String.init), errors)
    }

    /// Whether the program uses a `getaddrinfo` that takes 8 seconds for some names, as in `.ci/deep names`.
    static var hasSlowNames: Bool { ProcessInfo.processInfo.environment["ERRAND_SLOW_NAMES"] != nil }

    /// The number of processes that each test of exits starts.
    static var exits: Int { ProcessInfo.processInfo.environment["ERRAND_EXITS"].flatMap { Int($0) } ?? 10 }
}
