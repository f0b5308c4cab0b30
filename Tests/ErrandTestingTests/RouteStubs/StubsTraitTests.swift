import Errand
import ErrandTesting
import ErrandTestingTraits
import Testing

@Suite(
    .stubs(baseURL: URL(string: "https://shelf.example.com/v1")) { stubs in
        stubs.on(.get, "/volumes", try .json(encodable: [Volume.first]), times: .any)
    }) struct `A suite with stubs`
{
    @Test func `the stubs of a suite apply to each of its tests`() async throws {
        #expect(try await VolumesRequest().start().value == [.first])
        #expect(RouteStubs.current?.requests.count == 1)
    }

    @Test(
        .stubs { stubs in
            stubs.on(.get, "/volumes", try .json(encodable: [Volume.second]))
        })
    func `the stubs of a test are added to those of its suite`() async throws {
        #expect(try await VolumesRequest().start().value == [.second])
    }

    @Test(arguments: 0..<20)
    func `each test case gets new stubs`(_ number: Int) async throws {
        let stubs = try #require(RouteStubs.current)
        stubs.on(.get, "/volumes/\(number)", try .json(encodable: Volume(id: number)))
        #expect(try await VolumeRequest(number).start().value.id == number)
        #expect(stubs.requests.count == 1)
    }
}

struct `A test with stubs` {
    @Test(.stubs { $0.on(.get, "/v1/volumes", try .json(encodable: [Volume.first])) })
    func `a test with a stubs trait uses the stubs instead of the network`() async throws {
        #expect(try await VolumesRequest().start().value == [.first])
    }

    @Test func `a test without a stubs trait has no current stubs`() {
        #expect(RouteStubs.current == nil)
    }
}

/// The trait's scope, run as Swift Testing runs it.
struct `The scope of a trait` {
    /// Runs a closure in the scope of a trait, as a test would.
    private func scope(
        _ setUp: @escaping @Sendable (RouteStubs) throws -> Void, _ body: @escaping @Sendable () async throws -> Void
    ) async throws {
        let test = try #require(Test.current)
        try await StubsTrait.stubs(baseURL: nil, setUp)
            .provideScope(for: test, testCase: nil) { try await body() }
    }

    @Test func `an unused stub is recorded as an issue at its location`() async throws {
        let line = #line + 3
        try await withKnownIssue {
            try await scope { stubs in
                stubs.on(.get, "/v1/volumes", .status(200))
            } _: {
            }
        } matching: { issue in
            issue.sourceLocation?.line == line
                && issue.comments.contains { $0.rawValue.hasSuffix(" was not used") }
        }
    }

    @Test func `an unexpected request is recorded as an issue even if its error is swallowed`() async throws {
        try await withKnownIssue {
            try await scope { _ in
            } _: {
                _ = try? await VolumesRequest().start().value
            }
        } matching: { issue in
            issue.comments.contains { $0.rawValue.hasPrefix("GET /v1/volumes is not stubbed") }
        }
    }

    @Test func `unused stubs are not reported if the test has failed`() async throws {
        struct Own: Error {}
        _ = await thrown(Own.self) {
            try await scope {
                $0.on(.get, "/v1/volumes", .status(200))
            } _: {
                throw Own()
            }
        }
    }

    @Test func `a stubs trait that throws while making its stubs fails the test`() async throws {
        struct Own: Error {}
        _ = await thrown(Own.self) {
            try await scope { _ in
                throw Own()
            } _: {
            }
        }
    }
}
