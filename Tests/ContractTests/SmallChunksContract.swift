#if canImport(CCurl)
import TestSupport
import Testing

@testable import Errand

/// A server that sends chunks of one byte makes libcurl pass on each of them. Other requests must have their turn.
@Suite(.hangGuard) struct `Contract: bodies of small chunks` {
    private static let head = "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n"

    /// A server that sends chunks of one byte without an end.
    private func endlessServer() throws -> RawServer {
        try RawServer { connection in
            _ = connection.readHead()
            try connection.write(Self.head + "\r\n")
            let chunks = Data(String(repeating: "1\r\nx\r\n", count: 20_000).utf8)
            while true { try connection.write(chunks) }
        }
    }

    private func transport() -> CurlTransport {
        var configuration = CurlConfiguration()
        configuration.proxy = .none
        return CurlTransport(configuration)
    }

    private func request(_ server: RawServer, _ path: String = "/") throws -> TransportRequest {
        let url = try #require(URL(string: path, relativeTo: server.url)?.absoluteURL)
        return TransportRequest(URLRequest(url: url, timeoutInterval: .hangGuard))
    }

    /// The number of chunks that libcurl may pass on before other work has its turn: less than a third of what one call
    /// of libcurl would read.
    private static let turn: Int64 = 300_000

    @Test(arguments: [1, 3])
    func `a collected body of small chunks leaves the loop to others`(_ count: Int) async throws {
        let servers = try (0..<count).map { _ in try endlessServer() }
        let transport = transport()
        let progresses = servers.map { _ in TransferProgress() }
        let tasks = zip(servers, progresses).map { server, progress in
            Task {
                var request = try request(server)
                request.maximumBodySize = .max
                request.downloadProgress = progress
                _ = try await transport.send(request)
            }
        }
        await withTaskGroup(of: Int64.self) { group in
            for progress in progresses { group.addTask { await mostReceivedAtOnce(progress, over: transport) } }
            for await most in group { #expect(most < Self.turn) }
        }
        for task in tasks { task.cancel() }
        for task in tasks { _ = await task.result }
    }

    /// Over HTTP/2, libcurl joins the small frames of one read, and reads as long as data arrives.
    @Test(.enabled(if: CurlLibrary.current.speaksHTTP2))
    func `a body of small HTTP 2 frames leaves the loop to others`() async throws {
        let server = try RawServer { connection in
            _ = connection.read()
            // The settings, their acknowledgment, and the head of the response with the status 200.
            try connection.write(Data([0, 0, 0, 4, 0, 0, 0, 0, 0] + [0, 0, 0, 4, 1, 0, 0, 0, 0]))
            try connection.write(Data([0, 0, 1, 1, 4, 0, 0, 0, 1, 0x88]))
            let frames = Data(repeatElement([0, 0, 1, 0, 0, 0, 0, 0, 1, 0x78] as [UInt8], count: 10_000).joined())
            while true { try connection.write(frames) }
        }
        var configuration = CurlConfiguration()
        configuration.proxy = .none
        configuration.version = .http2PriorKnowledge
        let transport = CurlTransport(configuration)
        let progress = TransferProgress()
        let task = Task {
            var request = try request(server)
            request.maximumBodySize = .max
            request.downloadProgress = progress
            _ = try await transport.send(request)
        }
        #expect(await mostReceivedAtOnce(progress, over: transport) < Self.turn / 2)
        task.cancel()
        _ = await task.result
    }

    /// Returns the maximum number of bytes of a body that arrive between two jobs of the transport's executor. Such a
    /// job runs in each round of the loop.
    private func mostReceivedAtOnce(_ progress: TransferProgress, over transport: CurlTransport) async -> Int64 {
        await Task(executorPreference: transport.executor) {
            var (latest, most) = (Int64(0), Int64(0))
            while latest < 2_000_000 {
                await Task.yield()
                let received = progress.latest?.completed ?? 0
                most = max(most, received - latest)
                latest = received
            }
            return most
        }.value
    }

    /// A reader receives what arrives in a round of the loop as one piece, or a full piece.
    @Test func `a streamed body of small chunks leaves the loop to others`() async throws {
        let server = try endlessServer()
        let transport = transport()
        var count = 0
        var longest = 0
        for try await piece in try await transport.stream(request(server)).body {
            count += piece.count
            longest = max(longest, piece.count)
            if count > 2_000_000 { break }
        }
        #expect(longest < CurlPiece.size)
    }

    @Test(arguments: [false, true])
    func `a body of small chunks is complete, with its trailers, and its connection is reused`(
        _ isStreamed: Bool
    ) async throws {
        let body = Data((0..<200_000).map { UInt8(truncatingIfNeeded: $0 &* 31 &+ $0 >> 8) })
        let connections = Locked(0)
        let server = try RawServer { connection in
            connections.withLock { $0 += 1 }
            var chunks = Data()
            for byte in body { chunks += Array("1\r\n".utf8) + [byte] + Array("\r\n".utf8) }
            while !connection.readHead().isEmpty {
                try connection.write(Self.head + "Trailer: X-One, X-Two\r\n\r\n")
                try connection.write(chunks)
                try connection.write("0\r\nX-One: 1\r\nX-Two: 2\r\n\r\n")
            }
        }
        let transport = transport()
        for _ in 0..<2 {
            var request = try request(server)
            request.streamsResponse = isStreamed
            let response = try await transport.send(request)
            var received = Data()
            for try await piece in response.body { received += piece }
            #expect(received == body)
            #expect(response.trailers["X-One"] == "1")
            #expect(response.trailers["X-Two"] == "2")
        }
        #expect(connections.withLock { $0 } == 1)
    }

    /// Over a reused connection, a response may arrive in the call of libcurl that sends the request. The reader or the
    /// other transfers then pause it before libcurl has reported its socket, and the connection seems to be idle. A
    /// debug build is too slow for it; `Sockets of an engine` tests the same without a race.
    @Test(arguments: [false, true])
    func `a large body that arrives at once over a reused connection is complete`(_ isStreamed: Bool) async throws {
        let body = Data(repeating: 1, count: 4 << 20)
        let response = Data("HTTP/1.1 200 OK\r\nContent-Length: \(body.count)\r\n\r\n".utf8) + body
        let connections = Locked(0)
        let server = try RawServer { connection in
            connections.withLock { $0 += 1 }
            while !connection.read(atMost: 1_000).isEmpty { try connection.write(response) }
        }
        let transport = transport()
        for _ in 0..<50 {
            var request = try request(server)
            request.streamsResponse = isStreamed
            var count = 0
            for try await piece in try await transport.send(request).body { count += piece.count }
            #expect(count == body.count)
        }
        #expect(connections.withLock { $0 } == 1)
    }

    /// Most of the body arrives when libcurl passes on what it kept while the transfer waited for its turn.
    @Test func `a body of small chunks that is too long fails the request`() async throws {
        let server = try endlessServer()
        for limit in [1_000, 100_000, 1_000_000] {
            var request = try request(server)
            request.maximumBodySize = limit
            let failure = await #expect(throws: TransportFailure.self) { try await transport().send(request) }
            #expect(failure?.error.code == .dataLengthExceedsMaximum)
        }
    }

    @Test func `a redirect with an endless body of small chunks is followed`() async throws {
        let server = try RawServer { connection in
            guard connection.readHead().hasPrefix("GET /from ") else {
                return try connection.write("HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok")
            }
            try connection.write("HTTP/1.1 302 Found\r\nLocation: /to\r\nTransfer-Encoding: chunked\r\n\r\n")
            while true { try connection.write(String(repeating: "1\r\nx\r\n", count: 10_000)) }
        }
        let response = try await transport().send(request(server, "/from"))
        #expect(response.url?.path == "/to")
    }

    /// The response begins before the request has ended.
    @Test func `a request body is sent while a body of small chunks arrives`() async throws {
        let server = try RawServer { connection in
            _ = connection.readHead()
            try connection.write(Self.head + "\r\n" + String(repeating: "1\r\nx\r\n", count: 100_000))
            // The end of the chunked request.
            var request = Data()
            while !request.suffix(5).elementsEqual("0\r\n\r\n".utf8), case let part = connection.read(), !part.isEmpty {
                request += part
            }
            try connection.write("0\r\n\r\n")
        }
        let (pieces, writer) = AsyncStream.makeStream(of: Data.self)
        var request = try request(server)
        request.urlRequest.httpMethod = "POST"
        request.bodyStream = BodyStream(pieces)
        request.streamsResponse = true
        writer.yield(Data("first".utf8))
        let response = try await transport().send(request)
        var count = 0
        for try await piece in response.body {
            count += piece.count
            if count == 100_000 {
                writer.yield(Data("second".utf8))
                writer.finish()
            }
        }
        #expect(count == 100_000)
    }
}
#endif
