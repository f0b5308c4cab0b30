import Dispatch
import Errand
import ErrandMockServer
import ErrandTesting
import TestSupport
import Testing

/// Uploads of each kind of body, to servers that read slowly, close, respond early or stall.
@Suite(.hangGuard) struct `Uploads` {
    enum Kind: String, CaseIterable {
        case file
        case inputStream
        case sequence
        case form
    }

    /// A size that exceeds the buffers of both ends.
    static let size = 16 << 20
    private let content = Data(count: `Uploads`.size)
    private let file: TemporaryFile

    init() throws {
        file = try TemporaryFile()
        try file.resize(to: UInt64(Self.size))
    }

    /// Pieces of 64 KiB, as fast as they are requested.
    private var pieces: AsyncStream<Data> {
        let left = Locked(Self.size / 65_536)
        return AsyncStream {
            left.withLock { left in
                left -= 1
                return left >= 0 ? Data(count: 65_536) : nil
            }
        }
    }

    private func body(_ kind: Kind) throws -> RequestBody {
        switch kind {
        case .file: .file(file.url)
        case .inputStream: .stream(BodyStream(InputStream(data: content), count: Self.size))
        case .sequence: .stream(BodyStream(pieces, count: Self.size))
        case .form: .multipart(MultipartForm([.text("title", "large"), .file("file", file.url)], boundary: "errand"))
        }
    }

    private func request(_ kind: Kind, to server: RawServer) throws -> Probe {
        let request = Probe(server.url, CurlTransport(), method: .put)
        request.body = try body(kind)
        return request
    }

    /// Reads a head, and returns the length of the body that it declares.
    private static func bodyCount(_ connection: RawConnection) -> Int {
        let lines = connection.readHead().lowercased().components(separatedBy: "\r\n")
        return lines.first { $0.hasPrefix("content-length: ") }.flatMap { Int($0.dropFirst(16)) } ?? 0
    }

    @Test(arguments: Kind.allCases)
    func `an upload to a slow server is complete and reports its progress`(_ kind: Kind) async throws {
        let received = Recorder<Int>()
        let server = try RawServer { connection in
            let count = Self.bodyCount(connection)
            var read = 0
            while read < count, case let piece = connection.read(atMost: 16_384), !piece.isEmpty {
                read += piece.count
            }
            received.record(read)
            try connection.write("HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n")
        }
        let request = try request(kind, to: server)
        let pipeline = request.start()
        let seen = Recorder<TransferProgress.Measurement>()
        let progress = request.uploadProgress.measured(every: .milliseconds(10))
        let watching = Task { for await now in progress { seen.record(now) } }
        #expect(try await pipeline.value.statusCode == 200)
        await watching.value
        let count = try #require(received.elements.first)
        #expect(count >= Self.size)
        let last = try #require(seen.elements.last)
        #expect(last.snapshot == .init(completed: Int64(count), total: Int64(count)))
        #expect(last.estimatedTimeRemaining == .zero)
        #expect(
            zip(seen.elements, seen.elements.dropFirst()).allSatisfy { $0.snapshot.completed <= $1.snapshot.completed })
    }

    @Test(arguments: Kind.allCases)
    func `an upload to a server that closes the connection fails once`(_ kind: Kind) async throws {
        let server = try RawServer { connection in
            _ = connection.readHead()
            // Bytes that arrived and were not read make the close a reset.
            for _ in 0..<4 { _ = connection.read() }
        }
        let request = try request(kind, to: server)
        let error = await expectFailure(.transportFailed) { try await request.start().value }
        #expect((error?.underlyingError as? URLError)?.code == .networkConnectionLost)
        #expect(request.uploadProgress.latest.map { $0.completed < Self.size } == true)
    }

    @Test(arguments: Kind.allCases)
    func `an upload to a server that responds early ends with the response`(_ kind: Kind) async throws {
        let received = Recorder<Int>()
        let server = try RawServer { connection in
            _ = connection.readHead()
            try connection.write(
                "HTTP/1.1 413 Content Too Large\r\nContent-Length: 9\r\nConnection: close\r\n\r\ntoo large")
            var count = 0
            while case let piece = connection.read(), !piece.isEmpty { count += piece.count }
            received.record(count)
        }
        let request = try request(kind, to: server)
        let response = try await request.start().value
        #expect(response.statusCode == 413)
        #expect(response.data == Data("too large".utf8))
        // The connection is closed, and most of the body was not sent.
        try await waitUntil { !received.elements.isEmpty }
    }

    @Test(arguments: Kind.allCases)
    func `an upload to a server that stalls fails after the timeout`(_ kind: Kind) async throws {
        let timedOut = DispatchSemaphore(value: 0)
        let server = try RawServer { connection in
            _ = connection.readHead()
            timedOut.wait()
        }
        let request = try request(kind, to: server)
        request.timeoutInterval = 0.3
        await expectFailure(.timedOut) { try await request.start().value }
        timedOut.signal()
    }

    @Test(arguments: Kind.allCases)
    func `cancelling an upload closes its connection`(_ kind: Kind) async throws {
        let (begun, ended) = (Gate(), Gate())
        let server = try RawServer { connection in
            _ = connection.readHead()
            _ = connection.read()
            begun.open()
            // The server does not respond, so that the request does not end, however fast the body is sent.
            connection.readToEnd()
            ended.open()
        }
        let request = try request(kind, to: server)
        let pipeline = request.start()
        let task = Task { try await pipeline.value }
        try await begun.pass()
        task.cancel()
        await expectFailure(.cancelled) { try await task.value }
        try await ended.pass()
    }

    @Test(arguments: Kind.allCases)
    func `an upload is retried only if its body can be read again`(_ kind: Kind) async throws {
        let connections = Recorder<Int>()
        let server = try RawServer { connection in
            let count = Self.bodyCount(connection)
            connections.record(count)
            if connections.elements.count == 1 { return }
            var read = 0
            while read < count, case let piece = connection.read(), !piece.isEmpty { read += piece.count }
            try connection.write("HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n")
        }
        let request = try request(kind, to: server)
        request.retryPolicy = .immediate
        switch kind {
        case .file, .form:
            #expect(try await request.start().value.attempts == 2)
        case .inputStream, .sequence:
            let error = await expectFailure(.transportFailed) { try await request.start().value }
            #expect(error?.reason?.hasSuffix("not sent again, since its body can be read only once") == true)
        }
    }
}
