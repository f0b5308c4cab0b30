import Errand
import TestSupport
import Testing

/// A body without a length must not be reported as complete if its connection fails.
@Suite(.interop(.openssl, .python3), .hangGuard) struct `Truncated bodies over HTTP 2` {
    private let authority: CertificateAuthority

    init() async throws {
        authority = try await CertificateAuthority()
    }

    @Test(arguments: BreakingServer.Fault.allCases)
    func `a truncated HTTP/2 body fails when it is collected, streamed or downloaded`(
        _ fault: BreakingServer.Fault
    ) async throws {
        let server = try await BreakingServer(authority.issue(), fault)
        let transport = try CurlTransport.trusting(authority)
        await expectURLError(.networkConnectionLost) { try await transport.get(server.url()) }
        await expectURLError(.networkConnectionLost) {
            for try await _ in try await transport.stream(.get(server.url())).body {}
        }
        let directory = try TemporaryDirectory()
        let target = directory.url.appendingPathComponent("file")
        let download = APIBase()
        download.baseURL = try server.url()
        download.session = transport
        await #expect(throws: ErrandError.self) { try await download.sendDownload(to: target).value }
        #expect(!FileManager.default.fileExists(atPath: target.path))
    }

    @Test(arguments: BreakingServer.Fault.allCases)
    func `a truncated HTTP/2 connection fails every stream`(_ fault: BreakingServer.Fault) async throws {
        let server = try await BreakingServer(authority.issue(), streams: 20, fault)
        let transport = try CurlTransport.trusting(authority)
        #expect(try await transport.get(server.url()).statusCode == 200)
        let results = await withTaskGroup(of: URLError.Code?.self) { group in
            for number in 0..<20 {
                group.addTask {
                    do {
                        if number % 2 == 0 {
                            _ = try await transport.get(server.url())
                        } else {
                            for try await _ in try await transport.stream(.get(server.url())).body {}
                        }
                        return nil
                    } catch {
                        return (error as? TransportFailure)?.error.code
                    }
                }
            }
            return await group.reduce(into: []) { $0.append($1) }
        }
        #expect(results == Array(repeating: .networkConnectionLost, count: 20))
    }

    /// A server that closes its connection cleanly has announced it before.
    @Test(arguments: [1, 20])
    func `an HTTP/2 body is complete if the server sent GOAWAY first`(_ streams: Int) async throws {
        let server = try await BreakingServer(authority.issue(), streams: streams, nil)
        let transport = try CurlTransport.trusting(authority)
        if streams > 1 { #expect(try await transport.get(server.url()).statusCode == 200) }
        let bodies = try await withThrowingTaskGroup(of: String.self) { group in
            for _ in 0..<streams { group.addTask { try await transport.get(server.url()).text } }
            return try await group.reduce(into: []) { $0.append($1) }
        }
        #expect(bodies == Array(repeating: "half and half", count: streams))
    }
}
