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
        try await perform(
            invocation,
            at: .placeholder(at: invocation.baseURL ?? server?.url, token: environment["PLACEHOLDER_TOKEN"]))
    }

    private func perform(_ invocation: Invocation, at service: APIService<any Error>) async throws {
        var service = service
        switch invocation.command {
        case .help: break
        case .tour:
            let place = invocation.baseURL?.redacted.absoluteString ?? "the embedded server"
            let client = client(of: service, for: invocation)
            try await Tour(client: client, place: place, out: out, clock: clock).run()
        case .show(let selection):
            try await show(selection, with: client(of: service, for: invocation))
        case .browse(let kind, let pageSize):
            try await BrowseCommand(
                kind: kind, pageSize: pageSize, client: client(of: service, for: invocation), input: input, out: out,
                errors: errors
            ).run()
        case .login:
            // With a token, no sign-in is needed.
            service.settings.headers["Authorization"] = nil
            try await LoginCommand(
                credentials: credentials, client: client(of: service, for: invocation), out: out, clock: clock, now: now
            ).run()
        case .download(let name, let output, let digest):
            try await DownloadCommand(
                name: name, target: target(of: name, output), digest: digest,
                service: service, policy: retryPolicy, out: out, errors: errors
            ).run()
        case .upload(let file):
            try await UploadCommand(
                file: URL(fileURLWithPath: file, isDirectory: false), service: service, policy: retryPolicy, out: out,
                errors: errors
            ).run()
        case .chat:
            try await ChatCommand(service: service, input: input, out: out).run()
        case .flaky:
            try await FlakyCommand(
                service: service, out: out, isVerbose: invocation.isVerbose, policy: retryPolicy
            ).run()
        case .watch(let limit):
            try await WatchCommand(
                limit: limit, makesChanges: invocation.baseURL == nil, client: client(of: service, for: invocation),
                out: out
            ).run()
        }
    }

    private func show(_ selection: Invocation.Selection, with client: Client) async throws {
        let show: (Client) async throws -> Void = { client in
            try await ShowCommand(selection: selection, client: client, out: out).run()
        }
        guard selection.isCached else { return try await show(client) }
        let cache = ResponseCache(directory: cacheDirectory, errors: errors, clock: clock, now: now)
        try await cache.use(with: client, body: show)
    }
}

// Values that the commands use.
extension Program {
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

    private func client(of service: APIService<any Error>, for invocation: Invocation) -> Client {
        var log = WireLog(output: out, showsCurl: invocation.isVerbose)
        // Without times, the output of the tour is always the same.
        if invocation.command == .tour { log.showsTimes = invocation.isVerbose }
        if case .show(let selection) = invocation.command, selection.isJSON { log.output = errors }
        return Client(service: service, log: log, clock: clock)
    }

    /// The target of a download. Slashes in a name do not lead to other folders.
    private func target(of name: String, _ output: String?) -> URL {
        URL(fileURLWithPath: output ?? URL(fileURLWithPath: name).lastPathComponent, isDirectory: false)
    }

    private var retryPolicy: RetryPolicy {
        var policy = RetryPolicy.exponential(base: .milliseconds(200), maximumAttempts: 5)
        policy.clock = clock
        policy.now = now
        policy.random = random
        return policy
    }

    /// The name and password from the environment; by default those of the only user of the embedded server.
    private var credentials: Credentials {
        Credentials(
            name: environment["PLACEHOLDER_NAME"] ?? TokenGate.credentials.name,
            password: environment["PLACEHOLDER_PASSWORD"] ?? TokenGate.credentials.password)
    }

    private var cacheDirectory: URL {
        if let path = environment["PLACEHOLDER_CACHE"], !path.isEmpty { return URL(fileURLWithPath: path) }
        let caches = FileManager.default.urls(for: .cachesDirectory, in: .userDomainMask).first
        return (caches ?? FileManager.default.temporaryDirectory).appendingPathComponent("errand-placeholder")
    }
}
