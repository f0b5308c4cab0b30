import Errand
import TestSupport
import Testing

/// A program that the tests run, when it is installed.
enum Tool: String, Sendable {
    case apache2
    /// PyPI's package and Flask, in the Python of httpbin.
    case authlib
    case haproxy
    case registry = "docker-registry"
    /// PyPI's package and gunicorn, in a virtual environment that `.ci/deep-steps/servers` creates.
    case httpbin
    /// PyPI's package, in the same Python.
    case hypercorn
    /// PyPI's package, in the same Python.
    case mcp
    /// PyPI's package, in the same Python.
    case moto
    case nginx
    case nghttpd
    case node
    case openssl
    case python3
    /// PyPI's package, in the same Python.
    case websockets
    /// A PyPI package that moto depends on, in the same Python.
    case cryptography

    /// The failure of a program that has ended.
    struct Failure: Error {
        let tool: Tool
        let end: ChildProcess.End
        let output: String
    }

    /// The program was not found.
    struct NotInstalled: Error {
        let tool: Tool
    }

    /// The URL of the program; `nil` if it is not installed.
    var url: URL? {
        if [.authlib, .cryptography, .httpbin, .hypercorn, .mcp, .moto, .websockets].contains(self) {
            let python = ProcessInfo.processInfo.environment["ERRAND_INTEROP_PYTHON"].map(URL.init(fileURLWithPath:))
            return python.flatMap { FileManager.default.isExecutableFile(atPath: $0.path) ? $0 : nil }
        }
        let path = ProcessInfo.processInfo.environment["PATH"] ?? ""
        let directories = path.split(separator: ":").map(String.init) + ["/usr/sbin", "/usr/local/sbin"]
        return directories.map { URL(fileURLWithPath: $0).appendingPathComponent(rawValue) }
            .first { FileManager.default.isExecutableFile(atPath: $0.path) }
    }

    /// Starts the program.
    ///
    /// - Throws: ``NotInstalled``, or as ``ChildProcess`` does.
    func start(_ arguments: [String]) throws -> ChildProcess {
        guard let url else { throw NotInstalled(tool: self) }
        return try ChildProcess(url, arguments)
    }

    /// Runs the program to its end.
    ///
    /// - Throws: ``Failure`` unless it exits with 0.
    func run(_ arguments: [String]) async throws {
        let (end, output, errors) = try await start(arguments).result()
        guard end == .exit(0) else { throw Failure(tool: self, end: end, output: output + errors) }
    }
}

extension Trait where Self == ConditionTrait {
    /// Runs in the deep checks' step for real servers, where these programs are installed.
    static func interop(_ tools: Tool...) -> Self {
        let isWanted = DeepCheck.servers.isEnabled
        let missing = tools.filter { $0.url == nil }.map(\.rawValue)
        let reason = isWanted ? "not installed: \(missing.joined(separator: ", "))" : DeepCheck.servers.reason
        return .enabled(if: isWanted && missing.isEmpty, "\(reason)")
    }
}
