import Dispatch
import Errand
import ErrandMockServer
import ErrandTesting
import TestSupport
import Testing

@testable import placeholder

/// The output of `--cache` in consecutive runs, with one directory and a clock that the test moves.
@Suite(.hangGuard) final class `A cache on the disk` {
    private let directory = FileManager.default.temporaryDirectory
        .appendingPathComponent("errand-placeholder-\(UUID().uuidString)")
    private let date = Locked(Date(timeIntervalSince1970: 1_800_000_000))

    deinit {
        try? FileManager.default.removeItem(at: directory)
    }

    private func console() -> Console {
        Console(
            environment: ["PLACEHOLDER_CACHE": directory.path], now: { [date] in date.withLock { $0 } })
    }

    @Test func `the cache option reports network, cached, revalidated and stale responses`() async throws {
        let server = try PlaceholderServer()
        let arguments = ["todos", "--id", "3", "--cache", "--json", "--base-url", "\(server.url)"]
        var consoles: [Console] = []
        for seconds in [0, 1, 2] {
            date.withLock { $0 += TimeInterval(seconds) }
            consoles.append(console())
            #expect(await consoles.last?.run(arguments) == .success)
        }
        server.server.on(.get, "/todos/:id") { _ in .status(200).with(fault: .closeBeforeHead) }
        date.withLock { $0 += 60 }
        consoles.append(console())
        #expect(await consoles.last?.run(arguments) == .success)

        let expected = [
            "→ GET /todos/3  200 (80 bytes, 0.0 ms)\ncache: GET /todos/3  network (80 bytes, 0.0 ms)\n",
            "cache: GET /todos/3  hit (80 bytes, 0.0 ms)\n",
            "→ GET /todos/3  304 (0 bytes, 0.0 ms)\ncache: GET /todos/3  revalidated (80 bytes, 0.0 ms)\n",
            "→ GET /todos/3  no response (0.0 ms)\ncache: GET /todos/3  stale (80 bytes, 0.0 ms)\n",
        ]
        #expect(consoles.map(\.errors.withoutTimes) == expected)
        #expect(Set(consoles.map(\.out)).count == 1)
        #expect(consoles[0].out.contains("Count the cash float before noon"))
    }

    @Test func `the cache option adds only the request line to the table`() async throws {
        let server = try PlaceholderServer()
        let (first, second) = (console(), console())
        #expect(await first.run("users", "--cache", "--base-url", "\(server.url)") == .success)
        #expect(await second.run("users", "--cache", "--base-url", "\(server.url)") == .success)
        #expect(first.out.lines.first?.hasPrefix("→ GET /users  200 ") == true)
        #expect(second.out == first.out.lines.dropFirst().joined(separator: "\n"))
        #expect(second.errors.withoutTimes == "cache: GET /users  hit (4.0 KB, 0.0 ms)\n")
    }

    @Test func `the verbose option prints a curl command only for what the cache sends`() async throws {
        let server = try PlaceholderServer()
        let (first, second) = (console(), console())
        #expect(await first.run("users", "--cache", "--verbose", "--base-url", "\(server.url)") == .success)
        #expect(await second.run("users", "--cache", "--verbose", "--base-url", "\(server.url)") == .success)
        #expect(first.out.lines.filter { $0.hasPrefix("curl ") }.count == 1)
        #expect(!second.out.contains("curl "))
    }

    @Test func `a later run finds responses that an earlier run cached on the same port`() async throws {
        let free = try MockServer.onUnsharedPort()
        let port = "\(try #require(free.url.port))"
        free.stop()
        let (first, second) = (console(), console())
        #expect(await first.run("albums", "--id", "1", "--cache", "--port", port) == .success)
        #expect(await second.run("albums", "--id", "1", "--cache", "--port", port) == .success)
        #expect(first.errors.contains("  network ("))
        #expect(second.errors.contains("  hit ("))
    }

    @Test(.serialized, arguments: [nil, Fault.first])
    func `the program waits for the cache before it exits`(_ failure: Fault?) async throws {
        // The store cannot create its directory. The test pauses it while it reports the error.
        try Data().write(to: directory)
        let (isHeld, goOn) = (Gate(), DispatchSemaphore(value: 0))
        let events = Recorder<String>()
        let errors = Output {
            guard $0.hasPrefix("cache: nothing is kept") else { return }
            isHeld.open()
            goOn.wait()
            events.record("stored")
        }
        let cache = ResponseCache(
            directory: directory.appendingPathComponent("below"), errors: errors, clock: ContinuousClock(),
            now: { Date() })
        let server = try PlaceholderServer()
        let service = APIService.placeholder(at: server.url)
        let hasResponse = Gate()
        // The outcome is awaited below, also when an expectation fails.
        defer { goOn.signal() }
        async let outcome = Pipeline<Void, any Error> { () async throws(any Error) in
            defer { events.record("ended") }
            try await cache.use(with: service) { service in
                _ = try await service.value(of: OneRequest<Todo>(id: 3))
                hasResponse.open()
                if let failure { throw failure }
            }
        }.result

        try await hasResponse.pass()
        try await isHeld.pass()
        // This request takes longer than a program takes to end without waiting.
        _ = try await service.value(of: OneRequest<Todo>(id: 4))
        goOn.signal()
        let result = await outcome
        #expect((result.failure as? Fault) == failure)
        #expect(events.elements == ["stored", "ended"])
    }

    @Test func `the cache is not used without the option`() async throws {
        let server = try PlaceholderServer()
        let console = console()
        #expect(await console.run("users", "--base-url", "\(server.url)") == .success)
        #expect(console.errors == "")
        #expect(!FileManager.default.fileExists(atPath: directory.path))
    }

    @Test func `a cache that cannot be written is reported once, and the result is shown`() async throws {
        try Data().write(to: directory)
        let server = try PlaceholderServer()
        let console = console()
        #expect(await console.run("comments", "--user", "1", "--cache", "--base-url", "\(server.url)") == .success)
        #expect(console.errors.lines.filter { $0.hasPrefix("cache: nothing is kept: ") }.count == 1)
        #expect(console.errors.lines.filter { $0.contains("  network (") }.count == 2)
    }

    @Test func `an empty cache shows nothing if the server cannot be reached`() async throws {
        let nobody = try MockServer.refusing()
        let console = console()
        #expect(await console.run("users", "--cache", "--base-url", "\(nobody.url)") == .unavailable)
        #expect(console.errors == "placeholder: GET \(nobody.url)/users: \(nobody.url.refusal)\n")
    }

    @Test func `the cache option fails if its port is in use`() async throws {
        let other = try MockServer()
        let port = try #require(other.url.port)
        let console = console()
        #expect(await console.run("users", "--cache", "--port", "\(port)") == .unavailable)
        #expect(console.errors == "placeholder: port \(port) is taken; --port takes another\n")
        #expect(console.out == "")
    }
}

extension Result {
    fileprivate var failure: Failure? {
        guard case .failure(let failure) = self else { return nil }
        return failure
    }
}
