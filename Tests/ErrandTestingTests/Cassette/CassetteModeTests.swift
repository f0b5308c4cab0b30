import Errand
import ErrandTesting
import TestSupport
import Testing

@Suite(.timeLimit(.minutes(2))) struct `The file of a cassette` {
    private let folder: CassetteFolder
    private let server: MockServer

    init() throws {
        folder = try CassetteFolder()
        server = try MockServer()
        server.onAny { request in .text(request.path) }
    }

    private func cassette(
        _ name: String = "shelf.har", mode: Cassette.Mode = .once, environment: [String: String] = [:]
    ) -> Cassette {
        Cassette(at: folder.file(name), mode: mode, environment: environment)
    }

    private func ask(_ path: RequestPath = "/books") async throws -> String {
        try await AskRequest(server.url, path).start().value.text()
    }

    @Test func `is recorded when it is not there, and not again when it is`() async throws {
        for _ in 0..<3 { #expect(try await cassette().run { try await ask() } == "/books") }
        #expect(server.requests.count == 1)
    }

    @Test func `is recorded anew when that is asked for`() async throws {
        _ = try await cassette(mode: .record).run { try await ask("/one") }
        _ = try await cassette(mode: .record).run { try await ask("/two") }
        #expect(server.requests.count == 2)
        #expect(try HAR(contentsOf: folder.file()).log.entries.map(\.response.content.text) == ["/two"])
    }

    @Test func `has to be there to be replayed`() async throws {
        let error = await expectFailure(.notRecorded) { try await cassette(mode: .replay).run { try await ask() } }
        #expect(error?.reason == "there is no cassette at \(folder.file().path)")
        #expect(server.requests.isEmpty)
    }

    @Test(arguments: ["1", "true", " yes ", "github"])
    func `is not recorded once where CI is set, which says how to record it`(_ value: String) async throws {
        let asked = Recorder<Int>()
        let error = await expectFailure(.notRecorded) {
            try await cassette(environment: ["CI": value]).run {
                asked.record(1)
                return try await ask()
            }
        }
        #expect(
            error?.reason == """
                there is no cassette at \(folder.file().path), and none is recorded where CI is set; to record it, run this \
                once where CI is not set
                """)
        #expect(asked.elements.isEmpty && server.requests.isEmpty)
    }

    @Test(arguments: ["", "0", "false", "FALSE"])
    func `is recorded once where CI is set to nothing`(_ value: String) async throws {
        #expect(try await cassette(environment: ["CI": value]).run { try await ask() } == "/books")
        #expect(server.requests.count == 1)
    }

    @Test func `is replayed where CI is set, too`() async throws {
        _ = try await cassette().run { try await ask() }
        #expect(try await cassette(environment: ["CI": "1"]).run { try await ask() } == "/books")
    }

    @Test func `is for its owner alone, in a folder that is made for it, and alone there`() async throws {
        _ = try await cassette("a/b/shelf.har").run { try await ask() }
        let attributes = try FileManager.default.attributesOfItem(atPath: folder.file("a/b/shelf.har").path)
        #expect((attributes[.posixPermissions] as? NSNumber)?.intValue == 0o600)
        #expect(try FileManager.default.contentsOfDirectory(atPath: folder.file("a/b").path) == ["shelf.har"])
    }

    @Test func `is not written when nothing was sent`() async throws {
        try await cassette("none/shelf.har").run {}
        #expect(!FileManager.default.fileExists(atPath: folder.file("none").path))
    }

    @Test func `cannot be written where there is no place for it, and says so`() async throws {
        try Data().write(to: folder.file("taken"))
        let error = await expectFailure(.fileAccessFailed) {
            try await cassette("taken/shelf.har").run { try await ask() }
        }
        #expect(error?.reason?.hasPrefix("shelf.har cannot be written") == true)
        #expect(try Data(contentsOf: folder.file("taken")).isEmpty)
    }

    @Test func `is as it was when the recording ends in an error`() async throws {
        try Data("before".utf8).write(to: folder.file())
        await #expect(throws: Fault.first) {
            try await cassette(mode: .record).run {
                _ = try await ask()
                throw Fault.first
            }
        }
        #expect(try Data(contentsOf: folder.file()) == Data("before".utf8))
    }

    @Test func `is as it was when the recording is cancelled in the middle, also where nobody minds`() async throws {
        let gate = Gate()
        server.on(.get, "/slow") { _ in
            try await gate.pass()
            return .text("")
        }
        let (cassette, url) = (cassette(), server.url)
        for minds in [true, false] {
            let task = Task {
                try await cassette.run {
                    _ = try await AskRequest(url, "/books").start().value
                    do {
                        _ = try await AskRequest(url, "/slow").start().value
                    } catch  where !minds {}
                }
            }
            try await gate.waitForArrivals(minds ? 1 : 2)
            task.cancel()
            if minds { await expectFailure(.cancelled) { try await task.value } } else { try await task.value }
            #expect(try FileManager.default.contentsOfDirectory(atPath: folder.url.path) == [])
        }
        gate.open()
    }

    @Test func `has no request that was cancelled, while others go on`() async throws {
        let gate = Gate()
        server.on(.get, "/slow") { _ in
            try await gate.pass()
            return .text("")
        }
        let url = server.url
        try await cassette().run {
            let task = Task { try await AskRequest(url, "/slow").start().value }
            try await gate.waitForArrivals(1)
            task.cancel()
            await expectFailure(.cancelled) { try await task.value }
            _ = try await ask()
        }
        gate.open()
        #expect(try HAR(contentsOf: folder.file()).log.entries.map { $0.request.url } == ["\(url)/books"])
    }

    @Test func `answers nobody who is cancelled already`() async throws {
        _ = try await cassette().run { try await ask() }
        let (cassette, url) = (cassette(), server.url)
        let gate = Gate()
        let task = Task {
            try await cassette.run {
                try? await gate.pass()
                return try await AskRequest(url, "/books").start().value
            }
        }
        try await gate.waitForArrivals(1)
        task.cancel()
        await expectFailure(.cancelled) { try await task.value }
    }

    @Test(arguments: [
        ("", "it is empty"),
        ("{\"log\": {\"entries\": [", "not JSON"),
        ("[]", "is an array, not"),
        ("{\"log\": {}}", "log.entries is missing"),
        (#"{"log": {"entries": [{"request": {"method": "GET", "url": "/"}}]}}"#, "log.entries[0].response is missing"),
        (
            #"{"log": {"entries": [{"request": {"url": "/"}, "response": {"status": 200}}]}}"#,
            "log.entries[0].request.method is missing"
        ),
        (
            #"{"log": {"entries": [{"request": {"method": "GET", "url": "/"}, "response": {"status": "planted"}}]}}"#,
            "log.entries[0].response.status is a string, not Int"
        ),
        (
            #"{"log": {"entries": [{"request": {"method": "GET", "url": "/"}, "response": {"status": 200, "content": {"text": "planted!", "encoding": "base64"}}}]}}"#,
            "log.entries[0].response.content.text is no Base64"
        ),
        (
            #"{"log": {"entries": [{"request": {"method": "GET", "url": "/"}, "response": {"status": 200, "content": {"text": "x", "encoding": "rot13"}}}]}}"#,
            "log.entries[0].response.content.text is in an encoding that HAR does not have"
        ),
    ])
    func `that is no HAR fails before anything is sent, and says where`(_ text: String, _ place: String) async throws {
        try Data(text.utf8).write(to: folder.file())
        let error = await expectFailure(.invalidCassette) { try await cassette().run { try await ask() } }
        #expect(error?.reason?.hasPrefix("shelf.har is no HAR file: ") == true)
        #expect(error?.reason?.contains(place) == true, "\(error?.reason ?? "")")
        #expect(error?.reason?.contains("planted") == false)
        #expect(server.requests.isEmpty)
        #expect(try Data(contentsOf: folder.file()) == Data(text.utf8))
    }
}
