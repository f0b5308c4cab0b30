import Errand

let program = Program(
    environment: ProcessInfo.processInfo.environment, input: .standardInput, out: .standardOutput,
    errors: .standardError)
exit(await program.run(Array(CommandLine.arguments.dropFirst())).rawValue)
