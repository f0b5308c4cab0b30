import Errand
import ErrandMockServer
import ErrandTesting
import TestSupport
import Testing

@testable import placeholder

@Suite(.hangGuard) struct `The log of what is sent` {
    private let written = Recorder<String>()

    private func service(of server: MockServer) -> APIService<any Error> {
        let log = WireLog(output: Output(write: written.record), showsTimes: false)
        return .placeholder(at: server.url).adding(log.interceptor(clock: ContinuousClock()))
    }

    @Test func `a lost connection is printed`() async throws {
        let server = try MockServer()
        server.on(.get, "/albums", .json("[]").with(fault: .closeInBody(after: 1)))
        await #expect(throws: ErrandError.self) { try await service(of: server).value(of: ListRequest<Album>()) }
        #expect(written.elements == ["→ GET /albums  no response\n"])
    }

    @Test func `a cancelled request is not printed`() async throws {
        let server = try MockServer()
        server.on(.get, "/albums", .status(200).with(fault: .stallBeforeHead))
        let service = service(of: server)
        let request = Task { try await service.value(of: ListRequest<Album>()) }
        try await server.waitUntil { $0.requests == 1 }
        request.cancel()
        await #expect(throws: (any Error).self) { try await request.value }
        #expect(written.elements == [])
    }
}
