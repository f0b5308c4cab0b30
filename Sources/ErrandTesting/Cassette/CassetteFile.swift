import Errand

/// Writes the file of a cassette atomically, readable only by its owner.
enum CassetteFile {
    /// Creates the folder if it is missing, writes a temporary file, and moves it into place.
    static func write(_ archive: HAR, to file: URL) throws(ErrandError) {
        let folder = file.deletingLastPathComponent()
        let name = file.lastPathComponent
        do {
            let data = try archive.encoded()
            try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
            try PrivateDirectory(path: folder.path).write(data, to: name, by: ".\(name).\(UUID().uuidString)")
        } catch {
            throw .file(file, "cannot be written", because: error)
        }
    }
}
