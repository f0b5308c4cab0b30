import Errand
import ErrandMockServer
import ErrandTesting
import TestSupport
import Testing

/// Each test runs in a separate process, where nothing else opens descriptors or starts threads.
@Suite(.hangGuard, .enabled(if: Footprint.isKnown))
struct `Resources of a mock server` {
    @Test func `a server releases descriptors and threads however connections end`() async throws {
        await #expect(processExitsWith: .success) {
            let faults: [MockFault?] = [nil, .closeBeforeHead, .resetInBody(after: 1), .stallInBody(after: 1)]
            _ = try MockServer()
            let before = try await Footprint.initialDescriptors()
            for fault in faults {
                let server = try MockServer()
                server.onAny { _ in
                    var response = MockResponse.text("hello")
                    response.fault = fault
                    return response
                }
                for _ in 0..<20 {
                    let client = try await RawClient.connect(to: server.url)
                    try await client.send(Wire.request("GET", "/"))
                    _ = try await server.takeRequest()
                }
                server.stop()
            }
            // A thread that was just stopped may not have closed its descriptors yet, also when they were first
            // counted.
            try await waitUntil { try Footprint.descriptors().isSubset(of: before) }
        }
    }

    @Test(.deep(.soak)) func `twenty thousand consecutive requests leave nothing behind`() async throws {
        await #expect(processExitsWith: .success) {
            let server = try MockServer()
            server.on(.get, "/") { _ in .text("ok") }
            let response = Wire.response(text: "ok")
            let client = try await RawClient.connect(to: server.url)
            try await server.waitUntil(openConnections: 1)
            let before = try await Footprint.initialDescriptors()
            let responses = try await client.exchange(
                Wire.request("GET", "/"), responseSize: response.utf8.count, times: 20_000)
            #expect(responses == [response])
            #expect(server.requests.count == 20_000)
            try await waitUntil { try Footprint.descriptors().isSubset(of: before) }
        }
    }

    @Test func `the threads of servers end with the servers`() async throws {
        await #expect(processExitsWith: .success) {
            for _ in 0..<500 { try MockServer().stop() }
            // Not exact: the runtime has threads too, and a thread that was just stopped may not have ended yet.
            let threads = try FileManager.default.contentsOfDirectory(atPath: "/proc/self/task").count
            #expect(threads < 100)
        }
    }
}
