import Errand
import ErrandMockServer

/// The program. All that it uses of its process is passed in.
struct Program {
    let environment: [String: String]
    let input: Input
    let out: Output
    let errors: Output
    /// The clock that measures durations, and waits between attempts.
    var clock: any Clock<Duration> = ContinuousClock()
    /// Returns the current date.
    var now: @Sendable () -> Date = { Date() }
    /// Returns random numbers from 0 to 1.
    var random: @Sendable () -> Double = { .random(in: 0..<1) }

    /// Runs the command of the arguments. An error is printed as one line in `errors`.
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
        guard invocation.command != .help else { return out.line(Invocation.usage) }
        let server = try server(for: invocation)
        defer { server?.stop() }
        let token = environment["PLACEHOLDER_TOKEN"]
        try await perform(invocation, on: .placeholder(at: invocation.baseURL ?? server?.url, token: token))
    }

    private func perform(_ invocation: Invocation, on service: APIService<any Error>) async throws {
        let logged = service.adding(wireLog(for: invocation).interceptor(clock: clock))
        switch invocation.command {
        case .help: break
        case .tour:
            let place = invocation.baseURL?.redacted.absoluteString ?? "the embedded server"
            try await Tour(service: logged, place: place, out: out, clock: clock).run()
        case .show(let selection):
            try await show(selection, from: logged)
        case .browse(let kind, let pageSize):
            try await browse(kind.model, pageSize: pageSize, on: logged)
        case .login:
            try await login(on: logged)
        case .flaky:
            try await flaky(on: service, showsCurl: invocation.isVerbose)
        case .download(let name, let output, let digest):
            try await download(name, to: output, digest: digest, from: service)
        case .upload(let file):
            try await upload(file, to: service)
        case .watch(let limit):
            try await watch(logged, limit: limit, makesChanges: invocation.baseURL == nil)
        case .chat:
            try await chat(on: service)
        }
    }

    /// The embedded server; `nil` if requests go to another server.
    private func server(for invocation: Invocation) throws -> PlaceholderServer? {
        guard invocation.baseURL == nil else { return nil }
        let port = invocation.embeddedPort
        do {
            return try PlaceholderServer(port: port)
        } catch MockServerError.system(_, EADDRINUSE) {
            throw PortTaken(port: port)
        }
    }

    private func wireLog(for invocation: Invocation) -> WireLog {
        var log = WireLog(output: out, showsCurl: invocation.isVerbose)
        // Without times, the output of the tour is always the same.
        if invocation.command == .tour { log.showsTimes = invocation.isVerbose }
        if case .show(let selection) = invocation.command, selection.isJSON { log.output = errors }
        return log
    }
}

// Values that the commands use.
extension Program {
    /// The retries of the commands that retry.
    var retryPolicy: RetryPolicy {
        var policy = RetryPolicy.exponential(base: .milliseconds(200), maximumAttempts: 5)
        policy.clock = clock
        policy.now = now
        policy.random = random
        return policy
    }

    /// The directory of `--cache`.
    var cacheDirectory: URL {
        if let path = environment["PLACEHOLDER_CACHE"], !path.isEmpty { return URL(fileURLWithPath: path) }
        let caches = FileManager.default.urls(for: .cachesDirectory, in: .userDomainMask).first
        return (caches ?? FileManager.default.temporaryDirectory).appendingPathComponent("errand-placeholder")
    }
}
