package import Foundation

/// A file that goes with its last reference.
package final class TemporaryFile: Sendable {
    package let url: URL

    /// - Parameter pathExtension: Behind the name, where it matters.
    package init(_ content: Data = Data(), pathExtension: String? = nil) throws {
        let name = "errand-\(UUID().uuidString)" + (pathExtension.map { ".\($0)" } ?? "")
        url = FileManager.default.temporaryDirectory.appendingPathComponent(name)
        try content.write(to: url)
    }

    deinit {
        try? FileManager.default.removeItem(at: url)
    }

    /// Makes the file so long: cut, or with zeros behind it that take no room on the disk.
    package func resize(to count: UInt64) throws {
        let handle = try FileHandle(forWritingTo: url)
        try handle.truncate(atOffset: count)
        try handle.close()
    }
}
