import Errand
import ErrandTesting
import TestSupport
import Testing

@testable import placeholder

/// What `--cache` says, run after run, over one directory and in a time that the test moves.
@Suite(.timeLimit(.minutes(1))) final class `A cache on the disk` {
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

    @Test func `is the network, then a hit, then what the server confirms, and stale without a server`() async throws {
        let server = try PlaceholderServer()
        let arguments = ["todos", "--id", "3", "--cache", "--json", "--base-url", "\(server.url)"]
        var consoles: [Console] = []
        for seconds in [0, 1, 2] {
            date.withLock { $0 += TimeInterval(seconds) }
            consoles.append(console())
            #expect(await consoles.last?.run(arguments) == .success)
        }
        server.stop()
        date.withLock { $0 += 60 }
        consoles.append(console())
        #expect(await consoles.last?.run(arguments) == .success)

        let expected = [
            "→ GET /todos/3  200 (80 bytes, 0.0 ms)\ncache: GET /todos/3  network (80 bytes, 0.0 ms)\n",
            "cache: GET /todos/3  hit (80 bytes, 0.0 ms)\n",
            "→ GET /todos/3  304 (0 bytes, 0.0 ms)\ncache: GET /todos/3  revalidated (80 bytes, 0.0 ms)\n",
            "→ GET /todos/3  no answer (0.0 ms)\ncache: GET /todos/3  stale (80 bytes, 0.0 ms)\n",
        ]
        #expect(consoles.map(\.errors.withoutTimes) == expected)
        #expect(Set(consoles.map(\.out)).count == 1)
        #expect(consoles[0].out.contains("Count the cash float before noon"))
    }

    @Test func `leaves the table on its own, but for what went over the wire`() async throws {
        let server = try PlaceholderServer()
        let (first, second) = (console(), console())
        #expect(await first.run("users", "--cache", "--base-url", "\(server.url)") == .success)
        #expect(await second.run("users", "--cache", "--base-url", "\(server.url)") == .success)
        #expect(first.out.lines.first?.hasPrefix("→ GET /users  200 ") == true)
        #expect(second.out == first.out.lines.dropFirst().joined(separator: "\n"))
        #expect(second.errors.withoutTimes == "cache: GET /users  hit (4.0 KB, 0.0 ms)\n")
    }

    @Test func `finds what an earlier run stored of the embedded server, which is where it was`() async throws {
        // Not one of the ports that systems give away, and another one in each process that runs tests.
        let port = "\(20_000 + ProcessInfo.processInfo.processIdentifier % 10_000)"
        let (first, second) = (console(), console())
        #expect(await first.run("albums", "--id", "1", "--cache", "--port", port) == .success)
        #expect(await second.run("albums", "--id", "1", "--cache", "--port", port) == .success)
        #expect(first.errors.contains("  network ("))
        #expect(second.errors.contains("  hit ("))
    }

    @Test func `has what came on the disk before the program ends`() async throws {
        let server = try PlaceholderServer()
        let errors = Output { _ in }
        let cache = AnswerCache(directory: directory, errors: errors, clock: ContinuousClock(), now: { Date() })
        let service = PlaceholderService(baseURL: server.url)
        let client = Client(service: service, log: WireLog(output: errors), clock: ContinuousClock())
        try await cache.use(with: client) { _ = try await $0.send(PhotosRequest()) }
        #expect(try FileManager.default.contentsOfDirectory(atPath: directory.path).count == 1)

        try FileManager.default.removeItem(at: directory)
        await #expect(throws: Fault.first) {
            try await cache.use(with: client) { client in
                _ = try await client.send(PhotosRequest())
                throw Fault.first
            }
        }
        #expect(try FileManager.default.contentsOfDirectory(atPath: directory.path).count == 1)
    }

    @Test func `is not used by who does not ask for it`() async throws {
        let server = try PlaceholderServer()
        let console = console()
        #expect(await console.run("users", "--base-url", "\(server.url)") == .success)
        #expect(console.errors == "")
        #expect(!FileManager.default.fileExists(atPath: directory.path))
    }

    @Test func `that cannot be written says so once, and shows what was asked for`() async throws {
        try Data().write(to: directory)
        let server = try PlaceholderServer()
        let console = console()
        #expect(await console.run("comments", "--user", "1", "--cache", "--base-url", "\(server.url)") == .success)
        #expect(console.errors.lines.filter { $0.hasPrefix("cache: nothing is kept: ") }.count == 1)
        #expect(console.errors.lines.filter { $0.contains("  network (") }.count == 2)
    }

    @Test func `of a server that fails has nothing to show`() async throws {
        let nobody = try MockServer.refusing()
        let console = console()
        #expect(await console.run("users", "--cache", "--base-url", "\(nobody.url)") == .unavailable)
        #expect(console.errors == "placeholder: GET \(nobody.url)/users: could not connect to the server\n")
    }

    @Test func `needs its port, and says when it is taken`() async throws {
        let other = try MockServer()
        let port = try #require(other.url.port)
        let console = console()
        #expect(await console.run("users", "--cache", "--port", "\(port)") == .unavailable)
        #expect(console.errors == "placeholder: port \(port) is taken; --port takes another\n")
        #expect(console.out == "")
    }
}

/// The largest answer there is, and nothing done with it.
private final class PhotosRequest: PlaceholderAPI, Request {
    override init() {
        super.init()
        path = "/photos"
    }

    func start() -> Pipeline<Int, any Error> {
        sendRequest().map(\.data.count)
    }
}
