#if canImport(CCurl)
import Dispatch
import ErrandMockServer
import ErrandTesting
import Synchronization
import TestSupport
import Testing

@testable import Errand

/// The effects of the libcurl transport on its process.
@Suite(.enabled(if: TransportProbe.url != nil), .hangGuard) struct `A process with a transport` {
    private func server(tls: MockTLS? = nil) throws -> MockServer {
        let server = try MockServer(tls: tls)
        server.onAny { _ in .text("hello") }
        return server
    }

    /// OpenSSL frees its memory when the process exits, while engines still run. The number of attempts is small enough
    /// for every test run; `ERRAND_EXITS=500` sets another one.
    @Test(arguments: ["exit-in-handshakes", "exit-with-connections", "exit-released"])
    func `a process that exits while a transport works ends without a crash`(_ word: String) async throws {
        let server = try server(tls: .selfSigned)
        for _ in 0..<TransportProbe.exits {
            let (end, _, errors) = try await TransportProbe.run(word, server)
            #expect(end == .exit(0), "\(errors)")
        }
    }

    /// A write to a connection that the server has closed raises SIGPIPE in the engine's thread, which blocks it. Tasks
    /// on that thread, and the programs that they start, receive signals as usual.
    @Test func `only the engine's threads block SIGPIPE`() async throws {
        let (end, lines, errors) = try await TransportProbe.run("signals", server())
        #expect(end == .exit(0), "\(errors)")
        func held(_ who: String) throws -> UInt64 {
            let line = try #require(lines.first { $0.hasPrefix("\(who) SigBlk:") })
            return try #require(UInt64(line.split(separator: "\t").last ?? "", radix: 16))
        }
        let brokenPipe = UInt64(1) << (SIGPIPE - 1)
        #expect(try held("engine") & brokenPipe != 0)
        #expect(try held("task") & brokenPipe == 0)
    }

    @Test func `a SIGPIPE that the engine's thread has raised does not end the process`() async throws {
        let (end, lines, errors) = try await TransportProbe.run("raised-signal", server())
        #expect(end == .exit(0), "\(errors)")
        #expect(lines == ["raised 0", "status 200"])
    }

    /// libcurl creates pairs of sockets: for its multi handle, and for the thread of each name lookup. Lookups are
    /// tested only if they are slow, see below.
    @Test func `child processes inherit no sockets of the transport`() async throws {
        let (end, lines, errors) = try await TransportProbe.run("children", server())
        #expect(end == .exit(0), "\(errors)")
        // The guide to transports documents this.
        withKnownIssue("libcurl before 7.88 lets programs inherit one of its sockets", isIntermittent: true) {
            #expect(lines == ["lookups \(TransportProbe.hasSlowNames ? 4 : 0)"])
        } when: {
            ["7.76.", "7.81."].contains { CurlLibrary.current.name.hasPrefix($0) }
        }
    }

    @Test func `a transport without a free descriptor fails requests and recovers later`() async throws {
        let (end, lines, errors) = try await TransportProbe.run("descriptors", server())
        #expect(end == .exit(0), "\(errors)")
        let unavailable = "\(URLError.Code.resourceUnavailable.rawValue) "
        #expect(
            lines == [
                "before 200", "connecting \(unavailable)", "made meanwhile \(unavailable)", "shared \(unavailable)",
                "later 200", "later 200", "later 200",
            ])
    }

    /// The server's thread stops and continues the process, so that no other thread can be late.
    @Test(.deep(.timeLimits))
    func `data that arrives while the process is stopped is read before the timeout`()
        async throws
    {
        let started = DispatchSemaphore(value: 0)
        let process = Mutex<ChildProcess?>(nil)
        let server = try RawServer { connection in
            _ = connection.readHead()
            started.wait()
            let process = process.withLock { $0 }
            process?.send(SIGSTOP)
            try connection.write("HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok")
            // This is longer than the limit of the process, which is 4 seconds.
            usleep(4_500_000)
            process?.send(SIGCONT)
            connection.readToEnd()
        }
        let probe = try TransportProbe.start("pause", server.url)
        defer { probe.kill() }
        process.withLock { $0 = probe }
        started.signal()
        let (end, output, errors) = try await probe.result()
        #expect(end == .exit(0), "\(errors)")
        #expect(output == "asking\nanswer 200\n")
    }

    /// Needs a `getaddrinfo` that takes 8 seconds. `.ci/deep names` loads it in place of the system's.
    @Test(.enabled(if: TransportProbe.hasSlowNames))
    func `a slow name lookup delays only the requests to that name`() async throws {
        let (end, lines, errors) = try await TransportProbe.run("slow-name", server())
        #expect(end == .exit(0), "\(errors)")
        #expect(lines == ["other 200 in time", "timeout \(URLError.Code.timedOut.rawValue) in time"])
    }
}
#endif
