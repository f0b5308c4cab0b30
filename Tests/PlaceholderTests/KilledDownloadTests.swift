import Errand
import TestSupport
import Testing

/// A process that is killed in the middle of a download, and a process that resumes it.
@Suite(.hangGuard, .enabled(if: Executable.url != nil)) struct `A download that is killed` {
    @Test(arguments: [1, 65_536, 199_999, 300_000])
    func `a killed download is resumed by the next run without fetching bytes twice`(_ count: Int) async throws {
        let content = Data((0..<300_000).map { UInt8(truncatingIfNeeded: $0 &* 7 ^ $0 >> 8) })
        let heads = Recorder<String>()
        let server = try RawServer { connection in
            let head = connection.readHead()
            heads.record(head)
            let start = head.components(separatedBy: "\r\n").first { $0.hasPrefix("Range: bytes=") }.flatMap {
                Int($0.dropFirst(13).dropLast())
            }
            let tag = "ETag: \"one\"\r\n"
            switch start {
            case nil:
                // The server sends the content but not the end of the response, so that the process is still
                // downloading.
                let total =
                    count == content.count ? "Transfer-Encoding: chunked\r\n" : "Content-Length: \(content.count)\r\n"
                try connection.write("HTTP/1.1 200 OK\r\n\(tag)\(total)\r\n")
                if count == content.count { try connection.write("\(String(count, radix: 16))\r\n") }
                try connection.write(content.prefix(count))
                connection.readToEnd()
            case content.count:
                try connection.write(
                    "HTTP/1.1 416 X\r\nContent-Range: bytes */\(content.count)\r\nContent-Length: 0\r\n\r\n")
            case let start?:
                let rest = content.dropFirst(start)
                let range = "Content-Range: bytes \(start)-\(content.count - 1)/\(content.count)\r\n"
                try connection.write("HTTP/1.1 206 X\r\n\(tag)\(range)Content-Length: \(rest.count)\r\n\r\n")
                try connection.write(rest)
            }
        }
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent("errand-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: false)
        defer { try? FileManager.default.removeItem(at: folder) }
        let target = folder.appendingPathComponent("book")
        let arguments = ["download", "book", "--output", target.path, "--base-url", server.url.absoluteString]

        let process = try Executable.start(arguments)
        defer { process.kill() }
        let partial = folder.appendingPathComponent(".book.errand-partial").path
        try await waitUntil {
            let attributes = try? FileManager.default.attributesOfItem(atPath: partial)
            return (attributes?[.size] as? NSNumber)?.intValue == count
        }
        process.kill()
        #expect(try await process.result().end == .signal(SIGKILL))
        #expect(!FileManager.default.fileExists(atPath: target.path))

        let (end, out, _) = try await Executable.start(arguments).result()
        #expect(end == .exit(0))
        #expect(out == "book: 300000 bytes, \(count) of them from an earlier run\n")
        #expect(try Data(contentsOf: target) == content)
        #expect(heads.elements.count == 2)
        #expect(heads.elements.last?.contains("\r\nRange: bytes=\(count)-\r\n") == true)
        #expect(heads.elements.last?.contains("\r\nIf-Range: \"one\"\r\n") == true)
        #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path) == ["book"])
    }
}
