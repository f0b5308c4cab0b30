import Errand
import TestSupport

/// A server that runs as a child process until this object is released.
final class ServerProcess: Sendable {
    /// The child ended before it was ready.
    struct NotReady: Error {
        let output: String
    }

    /// The line that reported that the server is ready.
    let readyLine: String
    private let process: ChildProcess

    /// Starts a server, and waits until it has written a line that contains `marker`.
    init(_ tool: Tool, _ arguments: [String], readyWhen marker: String) async throws {
        let process = try tool.start(arguments)
        var seen: [String] = []
        for await line in process.lines {
            seen.append(line)
            if line.contains(marker) { break }
        }
        guard let last = seen.last, last.contains(marker) else {
            process.kill()
            throw NotReady(output: seen.joined(separator: "\n"))
        }
        readyLine = last
        self.process = process
    }

    deinit {
        stop()
    }

    /// Ends the child process now.
    func stop() { process.kill() }

    /// Starts a server on a free port. If another process takes the port first, starts the server on another one.
    static func onFreePort(
        _ tool: Tool, readyWhen marker: String, _ arguments: (UInt16) throws -> [String]
    ) async throws -> (server: ServerProcess, port: UInt16) {
        var attempts = 0
        while true {
            attempts += 1
            let port = try Loopback.freePort()
            do {
                return (try await ServerProcess(tool, try arguments(port), readyWhen: marker), port)
            } catch let error as NotReady {
                if attempts == 3 { throw error }
            }
        }
    }
}
