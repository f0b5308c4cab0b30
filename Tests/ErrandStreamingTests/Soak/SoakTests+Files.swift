import Dispatch
import Errand
import TestSupport
import Testing

extension `Soak tests` {
    /// A download of a gigabyte whose connection is lost in the middle, so that the rest of the file is requested.
    @Test func `downloading one gigabyte to a file uses little memory`() async throws {
        let size = 1 << 30
        let block = Data((0..<(256 << 10)).map { UInt8(truncatingIfNeeded: $0 &* 7) })
        let starts = Recorder<Int>()
        let server = try RawServer { connection in
            let head = connection.readHead()
            let range = head.components(separatedBy: "\r\n").first { $0.hasPrefix("Range: bytes=") }
            let start = range.flatMap { Int($0.dropFirst(13).dropLast()) } ?? 0
            starts.record(start)
            let fields = "ETag: \"one\"\r\nContent-Length: \(size - start)\r\n"
            let part = "Content-Range: bytes \(start)-\(size - 1)/\(size)\r\n"
            try connection.write(
                start == 0 ? "HTTP/1.1 200 OK\r\n\(fields)\r\n" : "HTTP/1.1 206 X\r\n\(fields)\(part)\r\n")
            var sent = start
            let end = start == 0 ? size / 2 : size
            while sent < end {
                let piece = block.dropFirst(sent % block.count).prefix(end - sent)
                try connection.write(Data(piece))
                sent += piece.count
            }
        }
        let folder = try DownloadFolder()
        // A small download first loads the parts of the library that stay in memory.
        let small = try BookServer()
        _ = try await small.request(to: folder).start().value
        let request = BookRequest(server.url, to: folder.target)
        request.session = CurlTransport()
        request.retryPolicy = .immediate
        let progress = request.downloadProgress
        let pipeline = request.start()
        let before = try Footprint.residentBytes()
        async let file = pipeline.value
        var (peak, next) = (before, Int64(0))
        for await snapshot in progress where snapshot.completed >= next {
            next = snapshot.completed + (8 << 20)
            peak = max(peak, try Footprint.residentBytes())
        }
        #expect(try await file.byteCount == Int64(size))
        print("a gigabyte to a file: \((peak - before) >> 10) KiB more at most, from \(starts.elements)")
        #expect(peak - before < Self.allowance)
        #expect(starts.elements == [0, size / 2])
        let handle = try FileHandle(forReadingFrom: folder.target)
        for offset in stride(from: 0, to: size, by: 64 << 20) {
            try handle.seek(toOffset: UInt64(offset))
            #expect(try handle.read(upToCount: block.count) == block)
        }
        try handle.close()
    }

    @Test func `uploading one gigabyte from a file uses little memory`() async throws {
        let size = 1 << 30
        let file = try TemporaryFile()
        try file.resize(to: UInt64(size))
        let received = Recorder<Int>()
        let server = try RawServer { connection in
            _ = connection.readHead()
            var count = 0
            while count < size, case let piece = connection.read(), !piece.isEmpty { count += piece.count }
            received.record(count)
            try connection.write("HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n")
        }
        let request = Probe(server.url, CurlTransport(), method: .put)
        request.body = .file(file.url)
        let pipeline = request.start()
        let before = try Footprint.residentBytes()
        async let response = pipeline.value
        var (peak, next) = (before, Int64(0))
        for await snapshot in request.uploadProgress where snapshot.completed >= next {
            next = snapshot.completed + (8 << 20)
            peak = max(peak, try Footprint.residentBytes())
        }
        #expect(try await response.statusCode == 200)
        print("a gigabyte from a file: \((peak - before) >> 10) KiB more at most")
        #expect(peak - before < Self.allowance)
        #expect(received.elements == [size])
    }
}
