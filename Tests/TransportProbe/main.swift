// A program for tests that observe a process from outside. Its argument selects an effect of the transport on the
// process.
#if canImport(CCurl)
import Errand
import Foundation

/// A transport that trusts the authority of the test's server.
func makeTransport(_ change: (inout CurlConfiguration) -> Void = { _ in }) -> CurlTransport {
    var configuration = CurlConfiguration()
    configuration.proxy = .none
    configuration.tls.additionalAuthorities = ProcessInfo.processInfo.environment["AUTHORITY"].map { Data($0.utf8) }
    change(&configuration)
    return CurlTransport(configuration)
}

/// By default, the time limit guards against a hang only.
func get(_ url: URL, over transport: CurlTransport, timeout: Double = 300) async throws -> DataResponse {
    try await transport.send(TransportRequest(URLRequest(url: url, timeoutInterval: timeout)))
}

/// The status code of a response, or the code and the reason of an error.
func code(of body: () async throws -> DataResponse) async -> String {
    do {
        return "\(try await body().statusCode)"
    } catch let error as TransportFailure {
        return "\(error.error.code.rawValue) \(error.reason ?? "")"
    } catch {
        return "\(error)"
    }
}

/// The signals that a thread blocks, as Linux reports them.
func blockedSignals(_ path: String) -> String {
    let status = (try? String(contentsOfFile: "\(path)/status", encoding: .utf8)) ?? ""
    return status.split(separator: "\n").first { $0.hasPrefix("SigBlk:") }.map(String.init) ?? "unknown"
}

/// The descriptors that a program started by this one would inherit.
func inheritedDescriptors() -> [Int32] {
    let names = (try? FileManager.default.contentsOfDirectory(atPath: "/proc/self/fd")) ?? []
    return names.compactMap { Int32($0) }.filter { descriptor in
        let flags = fcntl(descriptor, F_GETFD)
        return flags >= 0 && flags & FD_CLOEXEC == 0
    }
}

let arguments = CommandLine.arguments
guard arguments.count >= 3, let url = URL(string: arguments[2]) else { exit(64) }

switch arguments[1] {
case "exit-in-handshakes":
    let transport = makeTransport()
    for _ in 0..<20 { Task { try await get(url, over: transport) } }
    usleep(UInt32.random(in: 0..<15_000))
    exit(0)
case "exit-with-connections":
    let transport = makeTransport { $0.version = .http1 }
    try await withThrowingTaskGroup { group in
        for _ in 0..<10 { group.addTask { try await get(url, over: transport) } }
        for try await _ in group {}
    }
    exit(0)
case "exit-released":
    _ = try await get(url, over: makeTransport())
case "signals":
    let transport = makeTransport()
    _ = try await get(url, over: transport)
    let tasks = try FileManager.default.contentsOfDirectory(atPath: "/proc/self/task").map { "/proc/self/task/\($0)" }
    for task in tasks where (try? String(contentsOfFile: "\(task)/comm", encoding: .utf8)) == "Errand.Curl\n" {
        print("engine", blockedSignals(task))
    }
    // Detached, because a closure of the main actor would run on the main thread.
    await Task.detached(executorPreference: transport.executor) {
        print("task", blockedSignals("/proc/thread-self"))
    }.value
case "raised-signal":
    // Raises the signal that a write to a closed connection raises, and then runs a task on the same thread.
    let transport = makeTransport()
    _ = try await get(url, over: transport)
    for task in try FileManager.default.contentsOfDirectory(atPath: "/proc/self/task") {
        guard (try? String(contentsOfFile: "/proc/self/task/\(task)/comm", encoding: .utf8)) == "Errand.Curl\n",
            let thread = pid_t(task)
        else { continue }
        // The module of the C library does not declare this function.
        typealias Raise = @convention(c) (pid_t, pid_t, CInt) -> CInt
        let raise = unsafeBitCast(dlsym(nil, "tgkill"), to: Raise.self)
        print("raised", raise(getpid(), thread, SIGPIPE))
    }
    await Task.detached(executorPreference: transport.executor) {}.value
    print("status", await code { try await get(url, over: transport) })
case "children":
    // Lists the descriptors while a connection is open and, if lookups are slow, while names are looked up. Descriptors
    // that this process itself inherited do not count.
    let ownBefore = Set(inheritedDescriptors())
    let transport = makeTransport()
    _ = try await get(url, over: transport)
    var components = URLComponents(url: url, resolvingAgainstBaseURL: false)
    let areNamesSlow = ProcessInfo.processInfo.environment["LD_PRELOAD"] != nil
    let lookups = try (0..<(areNamesSlow ? 4 : 0)).map { number in
        components?.host = "name\(number).slow.invalid"
        components?.scheme = ["http", "https"][number % 2]
        guard let unknown = components?.url else { throw URLError(.badURL) }
        return Task { try await get(unknown, over: transport) }
    }
    var counted = 0
    while counted < lookups.count { counted = await transport.poolMetrics().lookups }
    print("lookups", counted)
    for descriptor in inheritedDescriptors() where !ownBefore.contains(descriptor) {
        print(
            "inherited",
            (try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/fd/\(descriptor)")) ?? "unknown")
    }
    for lookup in lookups { lookup.cancel() }
case "descriptors":
    let before = makeTransport()
    print("before", await code { try await get(url, over: before) })
    var limit = rlimit()
    getrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit)
    limit.rlim_cur = 128
    setrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit)
    var taken: [Int32] = []
    while case let descriptor = open("/dev/null", O_RDONLY), descriptor >= 0 { taken.append(descriptor) }
    // The first connection is idle, so that another host needs another one.
    var components = URLComponents(url: url, resolvingAgainstBaseURL: false)
    components?.host = "127.0.0.2"
    guard let other = components?.url else { exit(64) }
    print("connecting", await code { try await get(other, over: before) })
    let meanwhile = makeTransport()
    print("made meanwhile", await code { try await get(url, over: meanwhile) })
    print("shared", await code { try await get(url, over: CurlTransport.shared) })
    for descriptor in taken { close(descriptor) }
    print("later", await code { try await get(url, over: meanwhile) })
    print("later", await code { try await get(url, over: before) })
    print("later", await code { try await get(url, over: CurlTransport.shared) })
case "pause":
    // The program reports that it has sent the request, and the test stops it until long after the response.
    let transport = makeTransport()
    let task = Task { await code { try await get(url, over: transport, timeout: 4) } }
    print("asking")
    fflush(nil)
    print("answer", await task.value)
case "slow-name":
    // With a `getaddrinfo` that takes 8 seconds for this name.
    let transport = makeTransport { $0.connectTimeout = .seconds(30) }
    guard let slow = URL(string: "http://name.slow.invalid/") else { exit(64) }
    let clock = ContinuousClock()
    let start = clock.now
    let late = Task { await code { try await get(slow, over: transport, timeout: 1) } }
    let cancelled = Task { await code { try await get(slow, over: transport) } }
    try await Task.sleep(for: .milliseconds(200))
    cancelled.cancel()
    let other = await code { try await get(url, over: transport) }
    print("other", other, clock.now - start < .seconds(6) ? "in time" : "late")
    let timeout = await late.value
    print("timeout", timeout.prefix(5), clock.now - start < .seconds(6) ? "in time" : "late")
default:
    exit(64)
}
#endif
