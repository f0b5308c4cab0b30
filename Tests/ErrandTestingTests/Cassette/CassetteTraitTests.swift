import Errand
import ErrandMockServer
import ErrandTesting
import ErrandTestingTraits
import TestSupport
import Testing

private func load(_ path: RequestPath) async throws -> String {
    try await AnyRequest(.nowhere(), path).start().value.text()
}

struct `A test with a cassette` {
    @Test(.cassette("cases", requiresAllUsed: true))
    func `a test with a cassette receives the recorded responses`() async throws {
        async let one = load("/1")
        let others = try await Task { try await [load("/2"), load("/3")] }.value
        #expect(try await [one] + others == ["one", "two", "three"])
        await expectFailure(.notRecorded) { try await load("/4") }
    }

    @Test(.cassette("cases", requiresAllUsed: true), arguments: [(1, "one"), (2, "two"), (3, "three")])
    func `a test with arguments uses one cassette for all of them`(_ number: Int, _ text: String) async throws {
        #expect(try await load("/\(number)") == text)
    }

    @Test(.cassette("cases")) func `each test starts its own replay of a shared cassette`() async throws {
        #expect(try await load("/1") == "one")
    }

    @Test(.cassette("cases")) func `a detached task does not use the cassette of the test`() async throws {
        let server = try MockServer()
        server.onAny { _ in .text("the server") }
        let url = server.url
        let text = try await Task.detached { try await AnyRequest(url, "/1").start().value.text() }.value
        #expect(text == "the server")
    }

    /// Runs a test and its cases inside this test, as the testing library does.
    private func record(_ paths: [RequestPath], failing: Bool, beside source: URL) async throws {
        let trait: CassetteTrait = .cassette(
            "made", mode: .record, redacting: .keepingAll, filePath: source.path)
        let (test, testCase) = (try #require(Test.current), try #require(Test.Case.current))
        let server = try MockServer()
        server.onAny { request in .text(request.path) }
        let url = server.url
        try await trait.provideScope(for: test, testCase: nil) {
            for (number, path) in paths.enumerated() {
                // Swift Testing records a thrown error as an issue after the traits.
                try? await trait.provideScope(for: test, testCase: testCase) {
                    _ = try await AnyRequest(url, path).start().value
                    if failing && number == 0 { throw Fault.first }
                }
            }
        }
    }

    @Test func `a cassette trait records the requests of all cases in one file`() async throws {
        let folder = try CassetteFolder()
        try await record(["/1", "/2"], failing: false, beside: folder.file("Tests.swift"))
        let archive = try HAR(contentsOf: folder.file("Cassettes/made.har"))
        #expect(archive.log.entries.map(\.response.content.text) == ["/1", "/2"])
    }

    @Test func `a cassette trait records nothing if one of its cases throws`() async throws {
        let folder = try CassetteFolder()
        try await record(["/1", "/2"], failing: true, beside: folder.file("Tests.swift"))
        #expect(!FileManager.default.fileExists(atPath: folder.file("Cassettes").path))
    }

    @Test func `a cassette trait records nothing if an expectation fails`() async throws {
        let folder = try CassetteFolder()
        let trait: CassetteTrait = .cassette(
            "made", mode: .record, redacting: .keepingAll, filePath: folder.file("Tests.swift").path)
        let (test, testCase) = (try #require(Test.current), try #require(Test.Case.current))
        let server = try MockServer()
        server.onAny { request in .text(request.path) }
        let url = server.url
        let issues = Recorder<String>()
        // This test does not fail for the issue.
        let silent: IssueHandlingTrait = .compactMapIssues { issue in
            issues.record("\(issue)")
            return nil
        }
        for fails in [false, true] {
            try await silent.provideScope(for: test, testCase: testCase) {
                try await trait.provideScope(for: test, testCase: nil) {
                    try await trait.provideScope(for: test, testCase: testCase) {
                        let path: RequestPath = fails ? "/second" : "/first"
                        _ = try await AnyRequest(url, path).start().value
                        if fails { Issue.record("the expectation is not met") }
                    }
                }
            }
        }
        #expect(issues.elements.count == 1)
        let archive = try HAR(contentsOf: folder.file("Cassettes/made.har"))
        #expect(archive.log.entries.map(\.response.content.text) == ["/first"])
    }

    @Test func `a cassette trait that requires all entries fails with the unused ones`() async throws {
        let trait: CassetteTrait = .cassette("cases", requiresAllUsed: true)
        let test = try #require(Test.current)
        let error = await expectFailure(.entriesUnused) {
            try await trait.provideScope(for: test, testCase: nil) { _ = try await load("/2") }
        }
        #expect(error?.reason?.contains("entry 3: GET https://library.example.com/3") == true)
    }
}

@Suite(.cassettes("shelves", requiresAllUsed: true)) struct `A suite with cassettes` {
    @Test func `of one name`() async throws {
        #expect(try await load("/outer") == "outer")
    }

    @Test func plain() async throws {
        #expect(try await load("/plain") == "plain")
    }

    struct Inner {
        @Test func `of one name`() async throws {
            #expect(try await load("/inner") == "inner")
        }
    }
}
