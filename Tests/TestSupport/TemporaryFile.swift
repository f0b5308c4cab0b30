package import Foundation

/// A file that is deleted with its last reference.
package final class TemporaryFile: Sendable {
    package let url: URL

    /// - Parameter pathExtension: The extension of the name, if it matters.
    package init(_ content: Data = Data(), pathExtension: String? = nil) throws {
        let name = "errand-\(UUID().uuidString)" + (pathExtension.map { ".\($0)" } ?? "")
        url = FileManager.default.temporaryDirectory.appendingPathComponent(name)
        try content.write(to: url)
    }

    deinit {
        try? FileManager.default.removeItem(at: url)
    }

    /// Changes the size of the file: truncates it, or extends it with zeros that take no space on the disk.
    package func resize(to count: UInt64) throws {
        let handle = try FileHandle(forWritingTo: url)
        try handle.truncate(atOffset: count)
        try handle.close()
    }
}
