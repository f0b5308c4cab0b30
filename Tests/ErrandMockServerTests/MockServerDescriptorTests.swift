#if canImport(Glibc)
import Errand
import ErrandMockServer
import ErrandTesting
import TestSupport
import Testing

/// Runs in a separate process, because a limit on descriptors applies to the whole process.
@Suite(.hangGuard) struct `Descriptors of a mock server` {
    @Test func `a server accepts connections again after the process ran out of descriptors`() async throws {
        await #expect(processExitsWith: .success) {
            let server = try MockServer()
            server.onAny { _ in .text("ok") }
            let response = Wire.response(text: "ok")
            let connected = try await RawClient.connect(to: server.url)
            try await server.waitUntil(openConnections: 1)
            var limit = rlimit()
            getrlimit(Int32(RLIMIT_NOFILE.rawValue), &limit)
            let usual = limit.rlim_cur
            var timesWithoutAny = 0
            // It is unknown how far the server gets before the limit is restored, so the test tries several times. It
            // must be short: libdispatch checks its threads each second, and ends a process in which it cannot open a
            // file for that.
            for _ in 1...50 where timesWithoutAny < 3 {
                let accepted = server.acceptedConnections
                let waiting = try await RawClient.connect(to: server.url) { [limit] in
                    var limit = limit
                    let lowestFree = dup(0)
                    close(lowestFree)
                    limit.rlim_cur = rlim_t(lowestFree)
                    setrlimit(Int32(RLIMIT_NOFILE.rawValue), &limit)
                }
                // The server has seen the waiting connection once it has responded to a later request.
                try await connected.send(Wire.request("GET", "/"))
                #expect(try await connected.read(response.utf8.count) == response)
                // The server accepts the connection if other code in the process has closed a descriptor meanwhile.
                if server.acceptedConnections == accepted { timesWithoutAny += 1 }
                limit.rlim_cur = usual
                setrlimit(Int32(RLIMIT_NOFILE.rawValue), &limit)
                try await waiting.send(Wire.request("GET", "/"))
                #expect(try await waiting.read(response.utf8.count) == response)
                waiting.end()
                try await server.waitUntil(openConnections: 1)
            }
            #expect(timesWithoutAny == 3)
        }
    }
}
#endif
