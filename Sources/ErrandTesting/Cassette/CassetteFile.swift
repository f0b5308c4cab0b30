import Errand

/// Writes the file of a cassette: all of it or nothing, and for its owner alone.
enum CassetteFile {
    /// Creates the folder if it is missing, writes under another name, and moves the file into place.
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
