import Errand
import TestSupport

@testable import placeholder

/// Runs the program inside the test, and records its output.
struct Console {
    private let written = Recorder<String>()
    private let complaints = Recorder<String>()
    var environment: [String: String] = [:]
    var input = Input.lines([])
    var clock: any Clock<Duration> = ContinuousClock()
    var now: @Sendable () -> Date = { Date() }

    var out: String { written.elements.joined() }
    var errors: String { complaints.elements.joined() }

    func run(_ arguments: String...) async -> ExitCode {
        await run(arguments)
    }

    func run(_ arguments: [String]) async -> ExitCode {
        let program = Program(
            environment: environment, input: input, out: Output(write: written.record),
            errors: Output(write: complaints.record), clock: clock, now: now, random: { 1 })
        return await program.run(arguments)
    }
}

extension Input {
    /// An input of these lines, and no more.
    static func lines(_ lines: [String], isTerminal: Bool = false) -> Input {
        let lines = Locked(lines[...])
        return Input(isTerminal: isTerminal) { lines.withLock { $0.popFirst() } }
    }
}

extension String {
    /// This text with `0.0 ms` for every time in it.
    var withoutTimes: String {
        replacing(#/\d+\.\d ms/#, with: "0.0 ms")
    }

    /// This text with `PORT` for the port that a server happened to get.
    var withoutPorts: String {
        replacing(#/127\.0\.0\.1:\d+/#, with: "127.0.0.1:PORT")
    }

    var lines: [String] { components(separatedBy: "\n") }
}

/// The model, whose name the Testing module uses as well.
typealias Comment = placeholder.Comment
