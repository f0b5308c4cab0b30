import ErrandTesting
import TestSupport
import Testing

@testable import Errand

/// Work with its own task, which a request begins and others may wait for.
@Suite(.hangGuard) struct `Background work` {
    /// What the code in the background finds.
    struct Finding: Equatable {
        /// The URL to which a request without a server goes.
        var url: String?
        var isInRetry = RetryFacts.current != nil
        var hasReader = StreamReader.current != nil
        var isInProvider = ProviderCall.isActive
    }

    final class ProbeRequest: APIBase, Request {
        override init() {
            super.init()
            path = "/probe"
        }

        func start() -> Pipeline<String?, any Error> {
            sendRequest().map { $0.url?.absoluteString }
        }
    }

    final class Leaf: APIBase, Request {
        let background: @Sendable () async throws -> Void

        init(_ background: @escaping @Sendable () async throws -> Void = {}) {
            self.background = background
        }

        func start() -> Pipeline<Int, any Error> { sendRequest().map(\.statusCode) }

        /// The response, with the work in the background as a part of the run.
        func startShared() -> Pipeline<Void, any Error> {
            sendRequest()
                .flatMap { [background] _ in
                    Pipeline { () async throws(any Error) in try await background() }
                }
                .share()
        }
    }

    enum Kind: CaseIterable {
        case refresh, shared

        /// Begins the work, and waits for it.
        func run(_ background: @escaping @Sendable () async throws -> Void) async throws {
            let staging = APIService(baseURL: "staging.example.com")
            switch self {
            case .refresh:
                let leaf = Leaf()
                leaf.interceptors = [
                    TokenAuthentication { _ in
                        try await background()
                        return AccessToken("one")
                    }
                ]
                _ = try await leaf.start(with: staging).value
            case .shared:
                let leaf = Leaf(background)
                try await leaf.pipeline(for: staging) { leaf.startShared() }.value
            }
        }
    }

    /// A shared run is still the reader's own, since `share()` is one of the operators past which the reader is found.
    @Test(arguments: [
        (Kind.refresh, Finding(isInRetry: false, hasReader: false, isInProvider: true)),
        (.shared, Finding(isInRetry: false, hasReader: true, isInProvider: false)),
    ])
    func `goes to the service and to the test's network, and belongs to no retry`(
        _ kind: Kind, _ expected: Finding
    ) async throws {
        var expected = expected
        expected.url = "https://staging.example.com/probe"
        let findings = Recorder<Finding>()
        let stubs = RouteStubs()
        stubs.on(.get, "/", .text("leaf"), times: .any)
        stubs.on(.get, "/probe", .text("probe"))
        try await stubs.run {
            try await RetryFacts.$current.withValue(RetryFacts()) {
                try await StreamReader.$current.withValue(StreamReader(adding: [:])) {
                    try await kind.run {
                        // A part of the finding is what this task has, before the request starts its own.
                        var finding = Finding()
                        finding.url = try await ProbeRequest().start().value
                        findings.record(finding)
                    }
                }
            }
        }
        #expect(findings.elements == [expected])
    }
}
