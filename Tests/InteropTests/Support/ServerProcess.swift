import Errand

/// A server that runs as a child process until it is let go of.
final class ServerProcess: Sendable {
    /// The child ended before it was ready.
    struct NotReady: Error {
        let output: String
    }

    /// The line that said that it is ready.
    let readyLine: String
    private let process: Process

    /// Starts a server, and waits until it has written a line that contains `marker`.
    init(_ tool: Tool, _ arguments: [String], readyWhen marker: String) async throws {
        let process = Process()
        let output = Pipe()
        process.executableURL = tool.url
        process.arguments = arguments
        process.standardInput = FileHandle.nullDevice
        process.standardOutput = output
        process.standardError = output
        try process.run()
        var seen: [String] = []
        for await line in Self.lines(of: output.fileHandleForReading) {
            seen.append(line)
            if line.contains(marker) { break }
        }
        guard let last = seen.last, last.contains(marker) else {
            throw NotReady(output: seen.joined(separator: "\n"))
        }
        readyLine = last
        self.process = process
    }

    deinit {
        stop()
    }

    /// Ends the child, though somebody may still hold this.
    func stop() {
        // Not by SIGTERM, which a child of one of Swift's threads is born deaf to.
        if process.isRunning { kill(process.processIdentifier, SIGKILL) }
    }

    /// Starts a server on a port that was free a moment ago, and once more on another should it be taken by then.
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

    /// A thread of its own reads to the end, also when nobody listens any more, so that the child can go on writing.
    private static func lines(of handle: FileHandle) -> AsyncStream<String> {
        let (lines, continuation) = AsyncStream.makeStream(of: String.self)
        Thread.detachNewThread {
            var rest = Data()
            while case let piece = handle.availableData, !piece.isEmpty {
                rest.append(piece)
                while let end = rest.firstIndex(of: UInt8(ascii: "\n")) {
                    continuation.yield(String(decoding: rest[..<end], as: UTF8.self))
                    rest = Data(rest[(end + 1)...])
                }
            }
            continuation.finish()
        }
        return lines
    }
}
