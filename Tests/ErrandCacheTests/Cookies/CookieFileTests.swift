import Errand
import ErrandTesting
import TestSupport
import Testing

struct `Cookie jar: file` {
    /// A directory that is deleted after the test.
    private final class Directory {
        let url = FileManager.default.temporaryDirectory.appendingPathComponent("errand-\(UUID().uuidString)")
        var file: URL { url.appendingPathComponent("deep/cookies.json") }

        deinit { try? FileManager.default.removeItem(at: url) }
    }

    private let directory = Directory()
    private let url = URL(string: "https://example.com/x/y") ?? URL(fileURLWithPath: "/")

    @Test func `only cookies with an expiry are stored in the file`() async throws {
        let jar = try CookieJar(file: directory.file)
        try jar.setCookie("kept=1; Max-Age=86400; Secure; HttpOnly; SameSite=Strict; Domain=example.com", for: url)
        try jar.setCookie("session=1", for: url)
        try await jar.flush()
        let reopened = try CookieJar(file: directory.file)
        #expect(reopened.cookies == jar.cookies.filter { $0.name == "kept" })
        #expect(reopened.cookies.count == 1)
    }

    @Test func `session cookies are stored in the file with keepsSessionCookies`() async throws {
        let jar = try CookieJar(file: directory.file, keepsSessionCookies: true)
        for name in ["b", "a", "c"] { try jar.setCookie("\(name)=1", for: url) }
        try await jar.flush()
        #expect(try CookieJar(file: directory.file).cookies.map(\.name) == ["b", "a", "c"])
    }

    @Test func `the cookie file can only be accessed by its owner, and no other file remains`() async throws {
        let jar = try CookieJar(file: directory.file)
        try jar.setCookie("a=1; Max-Age=60", for: url)
        try await jar.flush()
        let attributes = try FileManager.default.attributesOfItem(atPath: directory.file.path)
        #expect((attributes[.posixPermissions] as? NSNumber)?.intValue == 0o600)
        let folder = directory.file.deletingLastPathComponent().path
        #expect(try FileManager.default.contentsOfDirectory(atPath: folder) == ["cookies.json"])
    }

    @Test func `each change is written to the cookie file automatically`() async throws {
        let jar = try CookieJar(file: directory.file)
        let file = directory.file
        try jar.setCookie("a=1; Max-Age=60", for: url)
        try await waitUntil { (try? CookieJar(file: file).cookies.map(\.name)) == ["a"] }
        jar.removeAll()
        try await waitUntil { (try? CookieJar(file: file).cookies.isEmpty) == true }
    }

    @Test(arguments: [
        "", "{}", "[1]", "{\"version\":2,\"cookies\":[]}", "{\"version\":1,\"cookies\":[{\"name\":\"a\"}]}",
    ])
    func `a damaged cookie file is an error and is not changed`(_ content: String) async throws {
        try FileManager.default.createDirectory(
            at: directory.file.deletingLastPathComponent(), withIntermediateDirectories: true)
        try Data(content.utf8).write(to: directory.file)
        let error = #expect(throws: ErrandError.self) { try CookieJar(file: directory.file) }
        #expect(error?.code == .fileAccessFailed)
        #expect(try String(contentsOf: directory.file, encoding: .utf8) == content)
    }

    @Test func `only old temporary files of the cookie file are removed`() async throws {
        let folder = directory.file.deletingLastPathComponent()
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        let name = directory.file.lastPathComponent
        let (old, new) = (".\(name)-\(UUID().uuidString)", ".\(name)-\(UUID().uuidString)")
        let other = ".\(name)-backup"
        for file in [old, new, other] { try Data().write(to: folder.appendingPathComponent(file)) }
        for file in [old, other] {
            try FileManager.default.setAttributes(
                [.modificationDate: Date() - 7200], ofItemAtPath: folder.appendingPathComponent(file).path)
        }
        _ = try CookieJar(file: directory.file)
        #expect(try Set(FileManager.default.contentsOfDirectory(atPath: folder.path)) == [new, other])
    }

    @Test func `a symbolic link in place of the cookie file is not followed`() async throws {
        let target = try TemporaryFile(Data("{\"version\":1,\"cookies\":[]}".utf8))
        try FileManager.default.createDirectory(
            at: directory.file.deletingLastPathComponent(), withIntermediateDirectories: true)
        try FileManager.default.createSymbolicLink(at: directory.file, withDestinationURL: target.url)
        let error = #expect(throws: ErrandError.self) { try CookieJar(file: directory.file) }
        #expect(error?.code == .fileAccessFailed)
    }

    @Test func `a cookie file that cannot be written is reported once and fails each flush`() async throws {
        let reports = Recorder<String>()
        let onError = { @Sendable (error: any Error) in
            reports.record((error as? ErrandError)?.code.rawValue ?? "\(error)")
        }
        let jar = try CookieJar(file: directory.file, onError: onError)
        // A file where the directory should be.
        try FileManager.default.createDirectory(at: directory.url, withIntermediateDirectories: true)
        try Data().write(to: directory.url.appendingPathComponent("deep"))
        for value in 1...3 { try jar.setCookie("a=\(value); Max-Age=60", for: url) }
        await expectFailure(.fileAccessFailed) { try await jar.flush() }
        try jar.setCookie("a=4; Max-Age=60", for: url)
        await expectFailure(.fileAccessFailed) { try await jar.flush() }
        #expect(reports.elements == ["fileAccessFailed"])
        #expect(jar.cookies.map(\.value) == ["4"])
    }

    @Test(arguments: ["https://example.com/cookies", "file:///"])
    func `a URL that is not a file URL is rejected for a cookie file`(_ text: String) throws {
        let url = try #require(URL(string: text))
        let error = #expect(throws: ErrandError.self) { try CookieJar(file: url) }
        #expect(error?.code == .fileAccessFailed)
    }
}
