import Errand

/// A directory that is removed when this object is released.
final class TemporaryDirectory: Sendable {
    let url: URL

    init() throws {
        // Short, since the path of a Unix-domain socket has at most 107 bytes.
        url = FileManager.default.temporaryDirectory.appendingPathComponent("errand-\(UUID().uuidString.prefix(8))")
        try FileManager.default.createDirectory(at: url, withIntermediateDirectories: false)
    }

    deinit {
        try? FileManager.default.removeItem(at: url)
    }

    func path(_ name: String) -> String { url.appendingPathComponent(name).path }

    @discardableResult
    func write(_ contents: Data, to name: String) throws -> String {
        try contents.write(to: url.appendingPathComponent(name))
        return path(name)
    }
}
