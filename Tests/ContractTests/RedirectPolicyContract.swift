import Errand
import ErrandMockServer
import ErrandTesting
import TestSupport
import Testing

@Suite(.hangGuard) struct `Contract: redirect policies` {
    let server: MockServer

    init() throws {
        server = try MockServer()
        server.onAny { request in
            switch request.path {
            case "/from": .text("moved", statusCode: 302).with(header: "Location", "/between")
            case "/between": .text("moved on", statusCode: 307).with(header: "Location", "/to")
            default: .text("here")
            }
        }
    }

    @Test(arguments: TransportUnderTest.allCases)
    func `the policy ignore returns the redirect as the response`(_ transport: TransportUnderTest) async throws {
        let request = transport.probe(server, "/from")
        request.redirectPolicy = .ignore
        let response = try await request.start().value
        #expect(response.statusCode == 302)
        #expect(response.headers["Location"] == "/between")
        #expect(response.data == Data("moved".utf8))
        #expect(response.metrics?.redirects == 0)
        #expect(server.requests.map(\.path) == ["/from"])
    }

    @Test(arguments: TransportUnderTest.allCases)
    func `the policy decide is called for each redirect with the next request`(
        _ transport: TransportUnderTest
    ) async throws {
        let redirects = Recorder<String>()
        let request = transport.probe(server, "/from")
        request.redirectPolicy = .decide { response, next in
            redirects.record("\(response.statusCode) \(next.httpMethod ?? "") \(next.url?.path ?? "")")
            return response.statusCode == 302
        }
        let response = try await request.start().value
        #expect(redirects.elements == ["302 GET /between", "307 GET /to"])
        #expect(response.statusCode == 307)
        #expect(response.data == Data("moved on".utf8))
        #expect(response.metrics?.redirects == 1)
        #expect(server.requests.map(\.path) == ["/from", "/between"])
    }

    @Test(arguments: TransportUnderTest.allCases)
    func `the default policy follows all redirects`(_ transport: TransportUnderTest) async throws {
        let response = try await transport.probe(server, "/from").start().value
        #expect(response.data == Data("here".utf8))
        #expect(response.metrics?.redirects == 2)
        #expect(server.requests.map(\.path) == ["/from", "/between", "/to"])
    }

    @Test(arguments: TransportUnderTest.without(.redirectBodies))
    func `the body of a redirect is not part of the response`(_ transport: TransportUnderTest) async throws {
        let request = transport.probe(server, "/from")
        request.maximumBodySize = 4
        #expect(try await request.start().value.data == Data("here".utf8))
        #expect(request.downloadProgress.latest == .init(completed: 4, total: 4))
    }
}
