import Errand
import TestSupport
import Testing

@Suite(.interop(.nginx, .openssl), .hangGuard) struct `nginx: downloads` {
    private final class FileRequest: APIBase, Errand.Request {
        let target: URL

        init(_ url: URL, _ transport: any Transport, to target: URL) {
            self.target = target
            super.init()
            baseURL = url
            session = transport
        }

        func start() -> Pipeline<DownloadedFile, any Error> { sendDownload(to: target) }
    }

    private let content = Data((0..<4 << 20).map { UInt8(truncatingIfNeeded: $0 ^ ($0 >> 8) &* 7) })

    /// Sends a megabyte at once and the rest very slowly. A range request for the rest is not slowed.
    private static let hesitating =
        "set $rate 1k; if ($http_range) { set $rate 0; } limit_rate_after 1m; limit_rate $rate;"

    /// Interrupts a run in the middle, and returns how many bytes had been received.
    private func interrupt(_ request: FileRequest) async throws {
        let pipeline = request.start()
        let task = Task { try await pipeline.value }
        for await snapshot in request.downloadProgress where snapshot.completed >= 500_000 { break }
        task.cancel()
        await #expect(throws: ErrandError.self) { try await task.value }
    }

    @Test(arguments: [false, true])
    func `an interrupted download from nginx is resumed`(_ isSecure: Bool) async throws {
        let authority = try await CertificateAuthority()
        let directory = try TemporaryDirectory()
        try directory.write(content, to: "file")
        let server = try await Nginx(
            certificate: isSecure ? try await authority.issue("IP:127.0.0.1") : nil, directory: directory,
            "\(Self.hesitating) location / { root \(directory.url.path); }")
        let transport = try CurlTransport.trusting(authority)
        let target = directory.url.appendingPathComponent("copy")
        try await interrupt(FileRequest(server.url("/file"), transport, to: target))
        let file = try await FileRequest(server.url("/file"), transport, to: target).start().value
        #expect(file.statusCode == 206)
        #expect(file.resumedByteCount >= 500_000)
        #expect(try Data(contentsOf: target) == content)
    }

    @Test func `a download restarts if the file on nginx has changed`() async throws {
        let directory = try TemporaryDirectory()
        try directory.write(content, to: "file")
        let server = try await Nginx(
            directory: directory, "\(Self.hesitating) location / { root \(directory.url.path); }")
        let target = directory.url.appendingPathComponent("copy")
        let transport = CurlTransport.direct()
        try await interrupt(FileRequest(server.url("/file"), transport, to: target))
        let changed = Data(content.reversed())
        try directory.write(changed, to: "file")
        try FileManager.default.setAttributes(
            [.modificationDate: Date(timeIntervalSinceNow: -3_600)], ofItemAtPath: directory.path("file"))
        let file = try await FileRequest(server.url("/file"), transport, to: target).start().value
        #expect(file.statusCode == 200)
        #expect(file.resumedByteCount == 0)
        #expect(try Data(contentsOf: target) == changed)
    }
}
