import Errand
package import Foundation
import Testing

/// A child process that runs a program, and the lines that it writes.
///
/// If more than about a thousand descriptors are open, as in a process that runs many tests, Foundation's `Process`
/// reads beyond its memory on Linux and sometimes crashes (Swift 6.3).
package final class ChildProcess: Sendable {
    /// The exit code or the signal that ended the program.
    package enum End: Equatable, Sendable {
        case exit(Int32)
        case signal(Int32)

        /// - Parameter status: The status that `waitpid` returns.
        fileprivate init(status: Int32) {
            let signal = status & 0x7F
            self = signal == 0 ? .exit(status >> 8 & 0xFF) : .signal(signal)
        }
    }

    /// A system call that failed.
    package struct Failure: Error {
        package let operation: String
        package let code: Int32
    }

    private struct State {
        var end: End?
        var output = Data()
        var errors = Data()
    }

    /// The lines that the program writes to standard output and standard error, as they arrive; for one reader.
    package let lines: AsyncStream<String>
    private let id: pid_t
    private let state = Locked(State())
    private let isOver = Gate()

    /// Starts a program, which inherits only what the parameters name.
    ///
    /// - Parameters:
    ///   - environment: The program's environment, to which the options of sanitizers are added; `nil` for that of this
    ///     process.
    ///   - input: The program's standard input, which must fit into a pipe.
    /// - Throws: ``Failure``.
    package init(
        _ program: URL, _ arguments: [String], environment: [String: String]? = nil, input: Data = Data()
    ) throws {
        let (input, output, errors) = (try PipeEnds(holding: input), try PipeEnds(), try PipeEnds())
        let own = ProcessInfo.processInfo.environment
        // A program that a sanitizer was built into reads its options here.
        let options = own.filter { ["ASAN_OPTIONS", "TSAN_OPTIONS"].contains($0.key) }
        let environment = (environment ?? own).merging(options) { given, _ in given }
        id = try withExtendedLifetime(input) {
            try spawn(
                program.path, arguments, environment: environment.map { "\($0)=\($1)" },
                descriptors: [input.reading, output.writing, errors.writing])
        }
        let (lines, continuation) = AsyncStream.makeStream(of: String.self)
        self.lines = lines
        output.closeWriting()
        errors.closeWriting()
        Thread.detachNewThread { self.follow(output, errors, continuation) }
    }

    /// Returns the output and the exit status after the process has ended and its pipes are closed.
    ///
    /// - Throws: `CancellationError` if the task is cancelled before that.
    package func result() async throws -> (end: End, output: String, errors: String) {
        try await isOver.pass()
        let state = state.withLock { $0 }
        let (output, errors) = (
            String(decoding: state.output, as: UTF8.self), String(decoding: state.errors, as: UTF8.self)
        )
        return (try #require(state.end), output, errors)
    }

    /// Kills the program with a signal that it cannot ignore, unless it has ended.
    package func kill() { send(SIGKILL) }

    /// Sends the program a signal, unless it has ended.
    package func send(_ signal: Int32) {
        // The process ID is not reused before `waitpid`, which is called under this lock.
        state.withLock { if $0.end == nil { _ = Foundation.kill(id, signal) } }
    }

    /// Reads both pipes to their end, so that the process never blocks when it writes, and waits for its exit.
    private func follow(_ output: PipeEnds, _ errors: PipeEnds, _ lines: AsyncStream<String>.Continuation) {
        var readers = [(output, OutputLines(), \State.output), (errors, OutputLines(), \State.errors)]
        while !readers.isEmpty {
            var polled = readers.map { pollfd(fd: $0.0.reading, events: Int16(POLLIN), revents: 0) }
            guard poll(&polled, nfds_t(polled.count), -1) > 0 else { continue }
            for index in readers.indices.reversed() where polled[index].revents != 0 {
                guard let piece = readers[index].0.read() else {
                    readers.remove(at: index)
                    continue
                }
                state.withLock { $0[keyPath: readers[index].2].append(piece) }
                for line in readers[index].1.add(piece) { lines.yield(line) }
            }
        }
        lines.finish()
        var information = siginfo_t()
        while waitid(P_PID, id_t(id), &information, WEXITED | WNOWAIT) != 0, errno == EINTR {}
        state.withLock { state in
            var status: Int32 = 0
            // If other code has waited for the process, its status is unknown.
            state.end = waitpid(id, &status, 0) == id ? End(status: status) : .exit(-1)
        }
        isOver.open()
    }
}

/// Both ends of a pipe, closed with their last reference.
private final class PipeEnds: Sendable {
    let reading: Int32
    let writing: Int32
    private let isWritingClosed = Locked(false)

    init() throws {
        var ends: [Int32] = [0, 0]
        guard pipe(&ends) == 0 else { throw ChildProcess.Failure(operation: "pipe", code: errno) }
        (reading, writing) = (ends[0], ends[1])
    }

    /// A pipe whose writing end is closed, so that its content is complete.
    convenience init(holding content: Data) throws {
        try self.init()
        let count = content.withUnsafeBytes { write(writing, $0.baseAddress, $0.count) }
        guard count == content.count else { throw ChildProcess.Failure(operation: "write", code: errno) }
        closeWriting()
    }

    deinit {
        closeWriting()
        close(reading)
    }

    func closeWriting() {
        isWritingClosed.withLock { isClosed in
            if !isClosed { close(writing) }
            isClosed = true
        }
    }

    /// The bytes that have arrived; `nil` at the end.
    func read() -> Data? {
        var bytes = [UInt8](repeating: 0, count: 65_536)
        while true {
            let count = Foundation.read(reading, &bytes, bytes.count)
            if count > 0 { return Data(bytes.prefix(count)) }
            guard count < 0, errno == EINTR else { return nil }
        }
    }
}

/// Complete lines from pieces. Tests do not rely on the library's splitter, which they test.
private struct OutputLines {
    private var rest = Data()

    mutating func add(_ piece: Data) -> [String] {
        rest.append(piece)
        var lines = rest.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)
        rest = lines.popLast() ?? Data()
        return lines.map { String(decoding: $0, as: UTF8.self) }
    }
}
