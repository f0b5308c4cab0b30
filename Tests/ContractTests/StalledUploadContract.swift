import Errand
import ErrandMockServer
import ErrandTesting
import TestSupport
import Testing

extension OneAtATime {
    /// Only bytes are activity: neither the question for them, nor pieces without any.
    @Suite(.hangGuard) struct `Contract: stalled request bodies` {
        enum Stall: CaseIterable {
            /// The body has one piece, and then none.
            case never
            /// The body has one piece, and then only empty ones.
            case emptyPieces

            func body() -> AsyncStream<Data> {
                let (end, isFirst) = (Gate(), Locked(true))
                return AsyncStream {
                    let wasFirst = isFirst.withLock { isFirst in
                        defer { isFirst = false }
                        return isFirst
                    }
                    if wasFirst { return Data("piece".utf8) }
                    if self == .never { try? await end.pass() }
                    await Task.yield()
                    return Task.isCancelled ? nil : Data()
                }
            }
        }

        /// The total limit of a request, which ends it if the idle limit does not.
        private static let total = Duration.seconds(120)

        private func expectTimeout(
            _ stall: Stall, from server: MockServer, over transport: any Transport
        ) async throws {
            try await withGrowingLimit { limit in
                // Several times the interval at which libcurl is made to look at such a transfer.
                let limit = limit + 1
                let request = Probe(server.url, transport, method: .post)
                request.body = .stream(BodyStream(stall.body()))
                request.timeoutInterval = limit
                request.resourceTimeout = Self.total
                let error = await expectFailure(.timedOut) { try await request.start().value }
                return error?.reason == "timed out after \(limit) s while reading the request's body"
            }
        }

        @Test(arguments: TransportUnderTest.allCases, Stall.allCases)
        func `a request whose body stalls times out`(_ transport: TransportUnderTest, _ stall: Stall) async throws {
            let server = try MockServer()
            server.onAny { _ in .status(200) }
            try await expectTimeout(stall, from: server, over: transport.make())
        }

        #if canImport(CCurl)
        @Test(.enabled(if: hasTLS), arguments: [CurlConfiguration.Version.automatic, .http1], Stall.allCases)
        func `a request over TLS whose body stalls times out`(
            _ version: CurlConfiguration.Version, _ stall: Stall
        ) async throws {
            let server = try MockServer(tls: .selfSigned)
            server.onAny { _ in .status(200) }
            var configuration = CurlConfiguration()
            configuration.proxy = .none
            configuration.version = version
            configuration.tls.additionalAuthorities = server.certificateAuthority
            try await expectTimeout(stall, from: server, over: CurlTransport(configuration))
        }

        private static let hasTLS = (try? MockServer(tls: .selfSigned)) != nil
        #endif
    }
}
