import Errand
import ErrandTesting

/// The program, with all that it takes from its process passed in.
struct Program {
    let environment: [String: String]
    let input: Input
    let out: Output
    let errors: Output
    /// Who tells how long things take, and waits between attempts.
    var clock: any Clock<Duration> = ContinuousClock()
    /// Who tells the time of day.
    var now: @Sendable () -> Date = { Date() }
    /// Where chance comes from: numbers from 0 to 1.
    var random: @Sendable () -> Double = { .random(in: 0..<1) }

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
        guard invocation.command != .help else { return out.line(Invocation.usage) }
        let server = try server(for: invocation)
        defer { server?.stop() }
        let service = PlaceholderService(
            baseURL: invocation.baseURL ?? server?.url, token: environment["PLACEHOLDER_TOKEN"])
        try await perform(invocation, at: service)
    }

    private func perform(_ invocation: Invocation, at service: PlaceholderService) async throws {
        var service = service
        switch invocation.command {
        case .help: break
        case .tour:
            let place = invocation.baseURL?.redacted.absoluteString ?? "the embedded server"
            let client = client(of: service, for: invocation)
            try await Tour(client: client, place: place, out: out, width: width).run()
        case .show(let selection):
            try await show(selection, with: client(of: service, for: invocation))
        case .browse(let kind, let pageSize):
            try await BrowseCommand(
                kind: kind, pageSize: pageSize, client: client(of: service, for: invocation), input: input, out: out,
                errors: errors, width: width
            ).run()
        case .login:
            // Whoever has a token does not log in.
            service.token = nil
            try await LoginCommand(
                credentials: credentials, client: client(of: service, for: invocation), out: out, clock: clock, now: now
            ).run()
        case .download(let name, let output, let digest):
            try await DownloadCommand(
                name: name, target: target(of: name, output), digest: digest,
                service: service, policy: retryPolicy, out: out, errors: errors, width: width
            ).run()
        case .upload(let file):
            try await UploadCommand(
                file: URL(fileURLWithPath: file, isDirectory: false), service: service, policy: retryPolicy, out: out,
                errors: errors, width: width
            ).run()
        case .chat:
            try await ChatCommand(service: service, input: input, out: out).run()
        case .flaky:
            try await FlakyCommand(
                service: service, out: out, isVerbose: invocation.isVerbose, showsTimings: invocation.showsTimings,
                policy: retryPolicy
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
            try await ShowCommand(selection: selection, client: client, out: out, width: width).run()
        }
        guard selection.isCached else { return try await show(client) }
        let cache = AnswerCache(directory: cacheDirectory, errors: errors, clock: clock, now: now)
        try await cache.use(with: client, body: show)
    }
}

// What the commands work with.
extension Program {
    /// The embedded server; nil where another is asked.
    private func server(for invocation: Invocation) throws -> PlaceholderServer? {
        guard invocation.baseURL == nil else { return nil }
        let port = invocation.embeddedPort
        do {
            return try PlaceholderServer(port: port)
        } catch MockServerError.system(_, EADDRINUSE) {
            throw PortTaken(port: port)
        }
    }

    private func client(of service: PlaceholderService, for invocation: Invocation) -> Client {
        var log = WireLog(output: out, showsCurl: invocation.isVerbose, showsTimings: invocation.showsTimings)
        // Without times the tour says the same every time.
        if invocation.command == .tour { log.showsTimes = invocation.isVerbose }
        if case .show(let selection) = invocation.command, selection.isJSON { log.output = errors }
        return Client(service: service, log: log, clock: clock)
    }

    /// Where a download goes: a name may have slashes, which lead nowhere here.
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

    /// Those of the one user that the embedded server knows, unless the environment has others.
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

    private var width: Int {
        environment["COLUMNS"].flatMap(Int.init) ?? 100
    }
}
