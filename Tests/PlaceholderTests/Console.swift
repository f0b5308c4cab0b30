import Errand
import TestSupport

@testable import placeholder

/// Runs the program inside the test, and keeps what it writes.
struct Console {
    private let written = Recorder<String>()
    private let complaints = Recorder<String>()
    var environment: [String: String] = [:]

    var out: String { written.elements.joined() }
    var errors: String { complaints.elements.joined() }

    func run(_ arguments: String...) async -> ExitCode {
        await run(arguments)
    }

    func run(_ arguments: [String]) async -> ExitCode {
        let program = Program(
            environment: environment, out: Output(write: written.record), errors: Output(write: complaints.record))
        return await program.run(arguments)
    }
}

extension String {
    /// This text with `0.0 ms` for every time in it.
    var withoutTimes: String {
        replacing(#/\d+\.\d ms/#, with: "0.0 ms")
    }

    var lines: [String] { components(separatedBy: "\n") }
}

/// The model, which the Testing module has a namesake of.
typealias Comment = placeholder.Comment
