import Errand
import TestSupport
import Testing

extension `Soak tests` {
    enum Coding: CaseIterable {
        case plain
        case gzip
    }

    @Test(arguments: Coding.allCases)
    func `uploading a form with a file of one gigabyte uses little memory`(_ coding: Coding) async throws {
        let size = 1 << 30
        let file = try TemporaryFile()
        try file.resize(to: UInt64(size))
        let received = Recorder<Int>()
        let server = try RawServer { connection in
            let head = connection.readHead()
            var (count, tail) = (0, Data())
            // The end of the form, or of the chunks.
            let end = Data((coding == .plain ? "--errand--\r\n" : "\r\n0\r\n\r\n").utf8)
            while tail != end {
                let piece = connection.read()
                if piece.isEmpty { return }
                count += piece.count
                tail = Data((tail + piece).suffix(end.count))
            }
            #expect(coding == .gzip || head.lowercased().contains("content-length: \(count)\r\n"))
            received.record(count)
            try connection.write("HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n")
        }
        let session = CurlTransport()
        let request = Probe(server.url, session, method: .post)
        let form = MultipartForm([.text("title", "large"), .file("file", file.url)], boundary: "errand")
        request.body = coding == .plain ? .multipart(form) : RequestBody.multipart(form).gzipped()
        let before = try Footprint.residentBytes()
        let pipeline = request.start()
        async let response = pipeline.value
        var peak = before
        for await _ in request.uploadProgress { peak = max(peak, try Footprint.residentBytes()) }
        #expect(try await response.statusCode == 200)
        print("form of a gigabyte, \(coding): \((peak - before) >> 10) KiB more at most")
        #expect(peak - before < Self.allowance)
        let count = try #require(received.elements.first)
        #expect(coding == .plain ? count > size : count < size / 100)
        await session.shutdown()
    }
}
