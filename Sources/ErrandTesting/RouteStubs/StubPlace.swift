/// The place in a test where a stub was created.
package struct StubPlace: Hashable, Sendable {
    /// `Module/File.swift`.
    package let fileID: String
    /// The file's path.
    package let filePath: String
    /// The line, from 1.
    package let line: Int
    /// The column, from 1.
    package let column: Int

    package init(fileID: String, filePath: String, line: Int, column: Int) {
        self.fileID = fileID
        self.filePath = filePath
        self.line = line
        self.column = column
    }
}

extension StubPlace: CustomStringConvertible {
    /// The file without its module, and the line: `BookTests.swift:12`.
    package var description: String { "\(fileID.split(separator: "/").last ?? ""):\(line)" }
}
