import Errand
import ErrandMockServer
import ErrandTesting
import TestSupport
import Testing

/// Each test runs in a separate process, where nothing else opens descriptors or starts threads.
@Suite(.hangGuard, .enabled(if: Footprint.isKnown), .serialized) struct `Contract: an engine leaves nothing behind` {
    @Test func `shutting down a transport closes every descriptor`() async throws {
        await #expect(processExitsWith: .success) {
            let server = try MockServer()
            server.onAny { _ in .text("hello") }
            server.on(.get, "/never") { _ in .text("x").with(fault: .stallBeforeHead) }
            try await Probe(server.url, CurlTransport.shared).start().value.expectGreeting()
            try await server.waitUntil(openConnections: 1)
            let before = try await Footprint.initialDescriptors()
            for cancelsRequests in [false, true] {
                let session = CurlTransport()
                let pipeline = Probe(server.url, session).start()
                try await withThrowingTaskGroup { group in
                    for _ in 0..<50 { group.addTask { try await pipeline.value.expectGreeting() } }
                    try await group.waitForAll()
                }
                let stalling = Probe(server.url, session, path: "/never").start()
                let inFlight = Task { await stalling.result }
                if cancelsRequests {
                    try await server.waitUntil { _ in server.requests.contains { $0.path == "/never" } }
                } else {
                    inFlight.cancel()
                }
                await session.shutdown(cancelsRequests: cancelsRequests)
                _ = await inFlight.value
                try await server.waitUntil(openConnections: 1)
                #expect(try Footprint.descriptors().subtracting(before) == [])
            }
            try await waitUntil { try Footprint.threads(named: "Errand.Curl") == 1 }
        }
    }

    @Test func `an executor with several threads ends them and closes their descriptors`() async throws {
        await #expect(processExitsWith: .success) {
            let server = try MockServer()
            server.onAny { _ in .text("hello") }
            try await Probe(server.url, CurlTransport.shared).start().value.expectGreeting()
            let before = try await Footprint.initialDescriptors()
            var configuration = CurlConfiguration()
            configuration.executorThreads = 3
            let session = CurlTransport(configuration)
            let pipeline = Probe(server.url, session).start()
            try await withThrowingTaskGroup { group in
                for _ in 0..<30 {
                    group.addTask(executorPreference: session.executor) { try await pipeline.value.expectGreeting() }
                }
                try await group.waitForAll()
            }
            try await waitUntil { try Footprint.threads(named: "Errand.Curl") == 4 }
            await session.shutdown()
            try await server.waitUntil(openConnections: 1)
            #expect(try Footprint.descriptors().subtracting(before) == [])
            try await waitUntil { try Footprint.threads(named: "Errand.Curl") == 1 }
        }
    }

    @Test func `a request fails if the process has no descriptor left`() async throws {
        await #expect(processExitsWith: .success) {
            let server = try MockServer()
            server.onAny { _ in .text("hello") }
            var limit = rlimit()
            getrlimit(Int32(RLIMIT_NOFILE.rawValue), &limit)
            // With this limit, the process can open no more descriptors.
            limit.rlim_cur = 0
            setrlimit(Int32(RLIMIT_NOFILE.rawValue), &limit)
            let session = CurlTransport()
            let pipeline = Probe(server.url, session).start()
            await expectTransportFailure(.resourceUnavailable) { try await pipeline.value }
            await session.shutdown()
        }
    }

    @Test func `releasing a transport ends its thread and closes its descriptors`() async throws {
        await #expect(processExitsWith: .success) {
            let server = try MockServer()
            server.onAny { _ in .text("hello") }
            // libcurl opens descriptors at its first use, and every request refers to the shared transport.
            try await Probe(server.url, CurlTransport.shared).start().value.expectGreeting()
            try await server.waitUntil(openConnections: 1)
            let before = try await Footprint.initialDescriptors()
            for _ in 0..<50 {
                try await Probe(server.url, CurlTransport()).start().value.expectGreeting()
            }
            _ = CurlTransport()
            try await server.waitUntil(openConnections: 1)
            // The thread of a transport that was released at once may not have started yet.
            try await waitUntil {
                try Footprint.threads(named: "Errand.Curl") == 1 && Footprint.descriptors().isSubset(of: before)
            }
        }
    }

    @Test func `a process exits with its own code while requests are in flight`() async throws {
        await #expect(processExitsWith: .exitCode(7)) {
            let server = try MockServer()
            server.onAny { _ in .text("hello").with(fault: .stallInBody(after: 1)) }
            let pipeline = Probe(server.url, CurlTransport.shared).start()
            for _ in 0..<20 { Task { await pipeline.result } }
            for _ in 0..<20 { _ = try await server.takeRequest() }
            exit(7)
        }
    }

    @Test func `a process exits with its own code while transports are idle`() async throws {
        await #expect(processExitsWith: .exitCode(7)) {
            let server = try MockServer()
            server.onAny { _ in .text("hello") }
            let sessions = (0..<10).map { _ in CurlTransport() }
            for session in sessions { try await Probe(server.url, session).start().value.expectGreeting() }
            exit(7)
        }
    }
}

extension DataResponse {
    fileprivate func expectGreeting() {
        #expect(data == Data("hello".utf8))
    }
}
