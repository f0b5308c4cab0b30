import ErrandMockServer
import ErrandTesting
import TestSupport
import Testing

@testable import Errand

@Suite(.hangGuard) struct `A partial file` {
    private let folder: DownloadFolder
    private let content = BookServer.content

    init() throws {
        folder = try DownloadFolder()
    }

    private func makeFile() throws -> PartialFile { try PartialFile(DownloadPaths(folder.target), disk: .system) }

    @Test func `a partial file whose size is not the written size is not moved into place`() throws {
        let file = try makeFile()
        try file.begin(nil)
        try file.append(Data("whole".utf8))
        try FileHandle(forWritingTo: folder.partial).truncate(atOffset: 3)
        let error = #expect(throws: ErrandError.self) { try file.moveIntoPlace() }
        #expect(error?.code == .fileAccessFailed)
        #expect(error?.reason == "another program changed \(folder.partial.path) while it was loaded")
        #expect(folder.content == nil)
    }

    @Test func `a partial file of the written size is moved into place`() throws {
        let file = try makeFile()
        try file.begin(nil)
        try file.append(Data("whole".utf8))
        try file.moveIntoPlace()
        #expect(folder.content == Data("whole".utf8))
    }

    @Test func `a named pipe is not used as a partial file`() throws {
        #expect(mkfifo(folder.partial.path, 0o600) == 0)
        let error = #expect(throws: ErrandError.self) { try makeFile() }
        #expect(error?.code == .fileAccessFailed)
        #expect(error?.reason == "\(folder.partial.path) is not a regular file")
        #expect(try folder.names == [folder.partial.lastPathComponent])
    }

    @Test func `a directory is not used as a partial file`() throws {
        try FileManager.default.createDirectory(at: folder.partial, withIntermediateDirectories: false)
        let error = #expect(throws: ErrandError.self) { try makeFile() }
        #expect(error?.code == .fileAccessFailed)
        #expect(error?.reason == "cannot create \(folder.partial.path): Is a directory")
        #expect(try folder.names == [folder.partial.lastPathComponent])
    }

    @Test(.enabled(if: geteuid() == 0, "only root may give a file to another user"))
    func `a partial file of another user is removed, and the download starts again`() async throws {
        let server = try BookServer(faults: [.closeInBody(after: 40_000)])
        await expectTransportFailure(.networkConnectionLost) { try await server.request(to: folder).start().value }
        #expect(folder.part?.count == 40_000)
        #expect(chown(folder.partial.path, 65_534, 65_534) == 0)
        let file = try await server.request(to: folder).start().value
        #expect(file.resumedByteCount == 0)
        #expect(folder.content == content)
        let attributes = try FileManager.default.attributesOfItem(atPath: folder.target.path)
        #expect((attributes[.ownerAccountID] as? NSNumber)?.uint32Value == geteuid())
    }
}
