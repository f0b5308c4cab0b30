import Errand
import ErrandMockServer
import TestSupport
import Testing

@testable import ErrandTesting

@Suite(.hangGuard) struct `The file of a cassette` {
    private let folder: CassetteFolder
    private let server: MockServer

    init() throws {
        folder = try CassetteFolder()
        server = try MockServer()
        server.onAny { request in .text(request.path) }
    }

    private func cassette(
        _ name: String = "shelf.har", mode: Cassette.Mode? = nil, recording: String? = nil
    ) -> Cassette {
        var cassette = Cassette(at: folder.file(name), mode: mode ?? .environment, redacting: .keepingAll)
        cassette.environment = { $0 == "ERRAND_RECORD" ? recording : nil }
        return cassette
    }

    private func load(_ path: RequestPath = "/books") async throws -> String {
        try await AnyRequest(server.url, path).start().value.text()
    }

    @Test func `a cassette is replayed unless its mode is record`() async throws {
        #expect(try await cassette(mode: .record).run { try await load() } == "/books")
        for _ in 0..<2 { #expect(try await cassette().run { try await load() } == "/books") }
        #expect(server.requests.count == 1)
    }

    @Test func `a cassette in record mode replaces the previous recording`() async throws {
        _ = try await cassette(mode: .record).run { try await load("/one") }
        _ = try await cassette(mode: .record).run { try await load("/two") }
        #expect(server.requests.count == 2)
        #expect(try HAR(contentsOf: folder.file()).log.entries.map(\.response.content.text) == ["/two"])
    }

    @Test func `replaying a missing cassette fails and explains how to record it`() async throws {
        let calls = Recorder<Int>()
        let error = await expectFailure(.notRecorded) {
            try await cassette().run {
                calls.record(1)
                return try await load()
            }
        }
        #expect(
            error?.reason == """
                there is no cassette at \(folder.file().path). To record it, run the test once with \
                ERRAND_RECORD="shelf" in the environment
                """)
        #expect(calls.elements.isEmpty && server.requests.isEmpty)
        #expect(try FileManager.default.contentsOfDirectory(atPath: folder.url.path) == [])
    }

    @Test(
        arguments: [
            ("all", true, true), ("missing", false, true), ("shelf", true, true), (" shelf , other", true, true),
            (nil, false, false), ("", false, false), (",", false, false), ("other", false, false),
            ("elf", false, false),
            ("shelf.har", false, false), ("shelf/", false, false), ("all,missing", false, false),
        ] as [(String?, Bool, Bool)])
    func `the environment variable decides which cassettes are recorded`(
        _ value: String?, _ replaces: Bool, _ makes: Bool
    ) async throws {
        if makes {
            #expect(try await cassette(recording: value).run { try await load("/one") } == "/one")
        } else {
            await expectFailure(.notRecorded) { try await cassette(recording: value).run { try await load("/one") } }
            #expect(server.requests.isEmpty)
            _ = try await cassette(mode: .record).run { try await load("/one") }
        }
        let again = cassette(recording: value)
        if replaces {
            #expect(try await again.run { try await load("/two") } == "/two")
        } else {
            await expectFailure(.notRecorded) { try await again.run { try await load("/two") } }
        }
        let recorded = try HAR(contentsOf: folder.file()).log.entries.map(\.response.content.text)
        #expect(recorded == [replaces ? "/two" : "/one"])
    }

    @Test(arguments: ["books/", "books/of an author", "of an author", "other, books/"])
    func `a cassette in a folder is recorded if the variable has its name or its folder`(_ value: String) async throws {
        _ = try await cassette("books/of an author.har", recording: value).run { try await load() }
        await expectFailure(.notRecorded) {
            try await cassette("mybooks/by no author.har", recording: value).run { try await load() }
        }
        #expect(server.requests.count == 1)
    }

    @Test func `a cassette with an explicit mode ignores the environment variable`() async throws {
        await expectFailure(.notRecorded) {
            try await cassette(mode: .replay, recording: "all").run { try await load() }
        }
        _ = try await cassette(mode: .record, recording: "other").run { try await load() }
        #expect(server.requests.count == 1)
    }

    @Test func `a failed recording selected by the environment keeps the previous file`() async throws {
        try Data("before".utf8).write(to: folder.file())
        await #expect(throws: Fault.first) {
            try await cassette(recording: "all").run {
                _ = try await load()
                throw Fault.first
            }
        }
        #expect(try Data(contentsOf: folder.file()) == Data("before".utf8))
        #expect(try FileManager.default.contentsOfDirectory(atPath: folder.url.path) == ["shelf.har"])
    }

    @Test func `a missing cassette's message has a name that records it`() {
        #expect(RecordingSelection.value(for: folder.file("users.har")) == "users")
        #expect(RecordingSelection.value(for: folder.file("a, b.har")) == "missing")
        #expect(RecordingSelection.value(for: folder.file("all.har")) == "missing")
    }

    @Test func `a recorded cassette is readable only by its owner, in a folder made for it`() async throws {
        _ = try await cassette("a/b/shelf.har", mode: .record).run { try await load() }
        let attributes = try FileManager.default.attributesOfItem(atPath: folder.file("a/b/shelf.har").path)
        #expect((attributes[.posixPermissions] as? NSNumber)?.intValue == 0o600)
        #expect(try FileManager.default.contentsOfDirectory(atPath: folder.file("a/b").path) == ["shelf.har"])
    }

    @Test func `a recording without requests writes no file`() async throws {
        try await cassette("none/shelf.har", mode: .record).run {}
        #expect(!FileManager.default.fileExists(atPath: folder.file("none").path))
    }

    @Test func `recording fails if the file cannot be written, with a reason`() async throws {
        try Data().write(to: folder.file("taken"))
        let error = await expectFailure(.fileAccessFailed) {
            try await cassette("taken/shelf.har", mode: .record).run { try await load() }
        }
        #expect(error?.reason?.hasPrefix("shelf.har cannot be written") == true)
        #expect(try Data(contentsOf: folder.file("taken")).isEmpty)
    }

    @Test func `a recording that ends with an error keeps the previous file`() async throws {
        try Data("before".utf8).write(to: folder.file())
        await #expect(throws: Fault.first) {
            try await cassette(mode: .record).run {
                _ = try await load()
                throw Fault.first
            }
        }
        #expect(try Data(contentsOf: folder.file()) == Data("before".utf8))
    }

    @Test func `a cancelled recording keeps the previous file, even if the test ignores the error`() async throws {
        let gate = Gate()
        server.on(.get, "/slow") { _ in
            try await gate.pass()
            return .text("")
        }
        let (cassette, url) = (cassette(mode: .record), server.url)
        for minds in [true, false] {
            let task = Task {
                try await cassette.run {
                    _ = try await AnyRequest(url, "/books").start().value
                    do {
                        _ = try await AnyRequest(url, "/slow").start().value
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

    @Test func `a recording leaves out a cancelled request and keeps the others`() async throws {
        let gate = Gate()
        server.on(.get, "/slow") { _ in
            try await gate.pass()
            return .text("")
        }
        let url = server.url
        try await cassette(mode: .record).run {
            let task = Task { try await AnyRequest(url, "/slow").start().value }
            try await gate.waitForArrivals(1)
            task.cancel()
            await expectFailure(.cancelled) { try await task.value }
            _ = try await load()
        }
        gate.open()
        #expect(try HAR(contentsOf: folder.file()).log.entries.map { $0.request.url } == ["\(url)/books"])
    }

    @Test func `replaying in a cancelled task fails with the cancellation`() async throws {
        _ = try await cassette(mode: .record).run { try await load() }
        let (cassette, url) = (cassette(), server.url)
        let gate = Gate()
        let task = Task {
            try await cassette.run {
                try? await gate.pass()
                return try await AnyRequest(url, "/books").start().value
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
            "log.entries[0].response.content.text is not valid Base64"
        ),
        (
            #"{"log": {"entries": [{"request": {"method": "GET", "url": "/"}, "response": {"status": 200, "content": {"text": "x", "encoding": "rot13"}}}]}}"#,
            "log.entries[0].response.content.text has an encoding other than base64"
        ),
    ])
    func `an invalid HAR file fails before any request, with the place of the error`(
        _ text: String, _ place: String
    ) async throws {
        try Data(text.utf8).write(to: folder.file())
        let error = await expectFailure(.invalidCassette) { try await cassette().run { try await load() } }
        #expect(error?.reason?.hasPrefix("shelf.har is not a HAR file: ") == true)
        #expect(error?.reason?.contains(place) == true, "\(error?.reason ?? "")")
        #expect(error?.reason?.contains("planted") == false)
        #expect(server.requests.isEmpty)
        #expect(try Data(contentsOf: folder.file()) == Data(text.utf8))
    }
}
