import Errand

/// The program, with all that it takes from its process passed in.
struct Program {
    let environment: [String: String]
    let out: Output
    let errors: Output

    /// Does what the arguments say; what goes wrong is one line in `errors`.
    func run(_ arguments: [String]) async -> ExitCode {
        do {
            try await perform(Invocation(arguments: arguments))
            return .success
        } catch {
            let failure = Failure(error)
            errors.line("placeholder: \(failure.message.onOneLine)")
            return failure.exitCode
        }
    }

    private func perform(_ invocation: Invocation) async throws {
        let isVerbose = invocation.isVerbose
        switch invocation.command {
        case .help:
            out.line(Invocation.usage)
        case .tour:
            // Without times the tour says the same every time.
            let log = WireLog(
                output: out, showsTimes: isVerbose, showsCurl: isVerbose, showsTimings: invocation.showsTimings)
            let place = invocation.baseURL?.redacted.absoluteString ?? "the embedded server"
            try await withClient(at: invocation.baseURL, log: log) { client in
                try await Tour(client: client, place: place, out: out, width: width).run()
            }
        case .watch(let limit):
            try await withClient(at: invocation.baseURL, log: WireLog(output: out, showsCurl: isVerbose)) { client in
                let makesChanges = invocation.baseURL == nil
                try await WatchCommand(limit: limit, makesChanges: makesChanges, client: client, out: out).run()
            }
        case .show(let selection):
            let log = WireLog(
                output: selection.isJSON ? errors : out, showsCurl: isVerbose, showsTimings: invocation.showsTimings)
            try await withClient(at: invocation.baseURL, log: log) { client in
                try await ShowCommand(selection: selection, client: client, out: out, width: width).run()
            }
        }
    }

    /// Calls `body` with a client of the service at `baseURL`, or of an embedded server that lives as long.
    private func withClient(at baseURL: URL?, log: WireLog, body: (Client) async throws -> Void) async throws {
        let server = baseURL == nil ? try PlaceholderServer() : nil
        defer { server?.stop() }
        let service = PlaceholderService(baseURL: baseURL ?? server?.url, token: environment["PLACEHOLDER_TOKEN"])
        try await body(Client(service: service, log: log))
    }

    private var width: Int {
        environment["COLUMNS"].flatMap(Int.init) ?? 100
    }
}
