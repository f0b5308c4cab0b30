import Errand
import ErrandMockServer
import ErrandTesting
import TestSupport
import Testing

@testable import placeholder

@Suite(.hangGuard) struct `Files from the command line` {
    private let folder = FileManager.default.temporaryDirectory.appendingPathComponent("errand-\(UUID().uuidString)")

    init() throws {
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: false)
    }

    private var target: URL { folder.appendingPathComponent("numbers") }

    private func cleanUp() { try? FileManager.default.removeItem(at: folder) }

    @Test func `download stores a file and verifies its digest`() async throws {
        defer { cleanUp() }
        let console = Console()
        #expect(await console.run("download", "numbers.txt", "--output", target.path) == .success)
        #expect(console.out == "numbers: 288894 bytes; sha-256 verified\n")
        #expect(console.errors.hasSuffix("numbers.txt  100%\n"))
        let content = try String(contentsOf: target, encoding: .utf8)
        #expect(content.hasPrefix("1\n2\n3\n"))
        #expect(content.hasSuffix("\n50000\n"))
        let digest = FileDigest(.sha256, of: Data(content.utf8)).bytes.map {
            String($0 >> 4, radix: 16) + String($0 & 15, radix: 16)
        }
        #expect(
            await console.run("download", "numbers.txt", "--output", target.path, "--sha256", digest.joined())
                == .success)
    }

    @Test func `download removes a file with another digest`() async throws {
        defer { cleanUp() }
        let console = Console()
        let digits = String(repeating: "0", count: 64)
        #expect(
            await console.run("download", "numbers.txt", "--output", target.path, "--sha256", digits) == .failure)
        #expect(console.errors.contains("the digest of the file is "))
        #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path).isEmpty)
    }

    @Test func `download of a missing file fails with the server's message`() async throws {
        defer { cleanUp() }
        let console = Console()
        #expect(await console.run("download", "nothing", "--output", target.path) == .failure)
        #expect(console.errors.contains("There is no file \"nothing\", only numbers.txt."))
    }

    @Test func `an uploaded file is downloaded unchanged`() async throws {
        defer { cleanUp() }
        let server = try PlaceholderServer()
        defer { server.stop() }
        let content = Data((0..<200_000).map { UInt8(truncatingIfNeeded: $0 &* 13) })
        try content.write(to: target)
        let console = Console()
        let base = ["--base-url", server.url.absoluteString]
        #expect(await console.run(["upload", target.path] + base) == .success)
        #expect(await console.run(["upload", target.path] + base) == .success)
        #expect(console.out == "numbers: 200000 bytes, new\nnumbers: 200000 bytes, in place of another\n")
        let copy = folder.appendingPathComponent("copy")
        #expect(await console.run(["download", "numbers", "--output", copy.path] + base) == .success)
        #expect(try Data(contentsOf: copy) == content)
    }

    @Test func `download to a missing folder fails with the path and the system's reason`() async throws {
        defer { cleanUp() }
        let console = Console()
        let nowhere = folder.appendingPathComponent("nowhere")
        let target = nowhere.appendingPathComponent("numbers")
        #expect(await console.run("download", "numbers.txt", "--output", target.path) == .failure)
        let path = nowhere.appendingPathComponent(".numbers.errand-partial").path
        #expect(console.errors.contains("cannot create \(path): No such file or directory"))
        #expect(!console.errors.contains("errno"))
    }

    @Test func `upload of an unreadable file fails`() async throws {
        defer { cleanUp() }
        let console = Console()
        #expect(await console.run("upload", target.path) == .failure)
        #expect(console.errors.contains("PUT http://127.0.0.1:"))
    }
}

@Suite(.hangGuard) struct `The files of the embedded server` {
    private func get(_ fields: [String: String], from server: PlaceholderServer) async throws -> DataResponse {
        var request = URLRequest(url: server.url.appendingPathComponent("files/numbers.txt"))
        for (name, value) in fields { request.setValue(value, forHTTPHeaderField: name) }
        return try await CurlTransport.shared.send(TransportRequest(request))
    }

    @Test func `the embedded server sends parts of a file`() async throws {
        let server = try PlaceholderServer()
        defer { server.stop() }
        let whole = try await get([:], from: server)
        #expect(whole.statusCode == 200)
        let tag = try #require(whole.headers["ETag"])
        for (range, field, text) in [
            ("bytes=2-5", "bytes 2-5/288894", "2\n3\n"), ("bytes=288888-", "bytes 288888-288893/288894", "50000\n"),
            ("bytes=-2", "bytes 288892-288893/288894", "0\n"),
            ("bytes=288892-999999", "bytes 288892-288893/288894", "0\n"),
        ] {
            let part = try await get(["Range": range, "If-Range": tag], from: server)
            #expect(part.statusCode == 206)
            #expect(part.headers["Content-Range"] == field)
            #expect(String(decoding: part.data, as: UTF8.self) == text)
            #expect(part.headers["ETag"] == tag)
            #expect(part.headers["Repr-Digest"] == whole.headers["Repr-Digest"])
            #expect(part.headers["Content-Digest"] != part.headers["Repr-Digest"])
        }
        #expect(try await get(["Range": "bytes=288894-"], from: server).statusCode == 416)
        for fields in [
            ["Range": "bytes=0-1", "If-Range": "\"other\""], ["Range": "bytes=0-1,4-5"], ["Range": "lines=1-"],
            ["Range": "bytes=5-3"], ["Range": "bytes=999999-3"], ["Range": "bytes=-"],
        ] {
            #expect(try await get(fields, from: server).statusCode == 200)
        }
    }
}
