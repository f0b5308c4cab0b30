import ErrandMockServer
import ErrandTesting
import TestSupport
import Testing

@testable import Errand

@Suite(.hangGuard) struct `The disk of a download` {
    let folder: DownloadFolder
    let content = BookServer.content

    init() throws {
        folder = try DownloadFolder()
    }

    @Test func `a download checks the free disk space before it reads the body`() async throws {
        let server = try BookServer(faults: [.stallInBody(after: 10), nil])
        let request = server.request(to: folder)
        request.disk.availableBytes = { _ in 99_999 }
        let error = await expectFailure(.insufficientDiskSpace) { try await request.start().value }
        let path = URL(fileURLWithPath: folder.url.path).standardizedFileURL.path
        #expect(error?.reason == "the disk of \(path) has 99999 bytes free; the download needs 100000 more")
        #expect(error?.url?.path == "/book")
        try await server.server.waitUntil(openConnections: 0)
        #expect(try folder.names == [])
        request.disk.availableBytes = { _ in 100_000 }
        #expect(try await request.start().value.byteCount == 100_000)
    }

    @Test func `a resumed download needs disk space only for the rest`() async throws {
        let server = try BookServer(faults: [.closeInBody(after: 40_000)])
        await expectFailure(.transportFailed) { try await server.request(to: folder).start().value }
        let request = server.request(to: folder)
        request.disk.availableBytes = { _ in 59_999 }
        await expectFailure(.insufficientDiskSpace) { try await request.start().value }
        #expect(folder.part == content.prefix(40_000))
        request.disk.availableBytes = { _ in 60_000 }
        #expect(try await request.start().value.resumedByteCount == 40_000)
    }

    @Test func `the disk space is not checked for a download of unknown length`() async throws {
        let server = try BookServer()
        server.book.withLock { $0.isChunked = true }
        let request = server.request(to: folder)
        request.disk.availableBytes = { _ in 0 }
        #expect(try await request.start().value.byteCount == 100_000)
        let room = try #require(DownloadDisk.system.availableBytes(folder.url.path))
        #expect(room > 0)
    }

    @Test func `a full disk fails the download once and keeps the bytes that were written`() async throws {
        let server = try BookServer(faults: [.stallInBody(after: 99_999)])
        let request = server.request(to: folder)
        request.retryPolicy = .immediate
        let written = Locked(0)
        request.disk.write = { descriptor, bytes in
            let room = written.withLock { 30_000 - $0 }
            guard room > 0 else {
                errno = ENOSPC
                return -1
            }
            let count = write(descriptor, bytes.baseAddress, min(room, bytes.count))
            written.withLock { $0 += max(count, 0) }
            return count
        }
        let error = await expectFailure(.insufficientDiskSpace) { try await request.start().value }
        #expect((error?.underlyingError as? POSIXError)?.code == .ENOSPC)
        #expect(error?.reason == "cannot write \(folder.partial.path): No space left on device")
        #expect(server.ranges.count == 1)
        try await server.server.waitUntil(openConnections: 0)
        #expect(folder.part == content.prefix(30_000))
        request.disk = .system
        #expect(try await request.start().value.resumedByteCount == 30_000)
        #expect(folder.content == content)
    }

    @Test func `a disk error fails the download with its cause`() async throws {
        let server = try BookServer()
        let request = server.request(to: folder)
        request.disk.write = { _, _ in
            errno = EIO
            return -1
        }
        let error = await expectFailure(.fileAccessFailed) { try await request.start().value }
        #expect((error?.underlyingError as? POSIXError)?.code == .EIO)
        #expect(error?.reason == "cannot write \(folder.partial.path): Input/output error")
        #expect(try folder.names == [])
    }

    @Test func `a missing directory fails the download with the system error`() async throws {
        let server = try BookServer()
        let target = folder.url.appendingPathComponent("nowhere/book.pdf")
        let error = await expectFailure(.fileAccessFailed) {
            try await BookRequest(server.server.url, to: target).start().value
        }
        let path = folder.url.appendingPathComponent("nowhere/.book.pdf.errand-partial").path
        #expect(error?.reason == "cannot create \(path): No such file or directory")
        #expect((error?.underlyingError as? POSIXError)?.code == .ENOENT)
    }

    @Test func `a download continues after short and interrupted writes`() async throws {
        let server = try BookServer(Data(content.prefix(5_000)))
        let request = server.request(to: folder)
        let calls = Locked(0)
        request.disk.write = { descriptor, bytes in
            let isInterrupted = calls.withLock { calls in
                calls += 1
                return calls % 3 == 0
            }
            guard !isInterrupted else {
                errno = EINTR
                return -1
            }
            return write(descriptor, bytes.baseAddress, min(7, bytes.count))
        }
        request.digest = FileDigest(.sha256, of: content.prefix(5_000))
        _ = try await request.start().value
        #expect(folder.content == content.prefix(5_000))
    }

    @Test func `a downloaded file has the default permissions of the user`() async throws {
        let server = try BookServer()
        _ = try await server.request(to: folder).start().value
        // The process's file mode creation mask decides, as for a file that the test creates.
        let other = folder.url.appendingPathComponent("other").path
        close(open(other, O_CREAT | O_WRONLY, 0o666))
        let permissions = try [folder.target.path, other].map { path in
            try FileManager.default.attributesOfItem(atPath: path)[.posixPermissions] as? NSNumber
        }
        #expect(permissions[0] != nil)
        #expect(permissions[0] == permissions[1])
    }
}

struct `The claims of downloads` {
    @Test func `a download target can be claimed by one download at a time`() {
        var claims = DownloadClaimsState()
        #expect(claims.take("a", PipelinePromise()) == .taken)
        #expect(claims.take("a", PipelinePromise()) == .refused)
        #expect(claims.take("b", PipelinePromise()) == .taken)
        #expect(claims.release("a").isEmpty)
        #expect(claims.take("a", PipelinePromise()) == .taken)
    }

    @Test func `a claim waits while its target is being released`() {
        var claims = DownloadClaimsState()
        #expect(claims.take("a", PipelinePromise()) == .taken)
        claims.leave("a")
        #expect(claims.take("a", PipelinePromise()) == .wait)
        #expect(claims.take("a", PipelinePromise()) == .wait)
        #expect(claims.release("a").count == 2)
        #expect(claims.take("a", PipelinePromise()) == .taken)
        claims.leave("none")
        #expect(claims.release("none").isEmpty)
    }

    @Test(.hangGuard) func `a waiting claim can be cancelled`() async throws {
        let claims = DownloadClaims()
        try await claims.take("a")
        claims.leave("a")
        let task = Task { try await claims.take("a") }
        task.cancel()
        await expectFailure(.cancelled) { try await task.value }
        claims.release("a")
        try await claims.take("a")
    }
}
