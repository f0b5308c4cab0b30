import Errand

/// Puts the file of a cassette in its place: all of it or nothing, and for its owner alone.
enum CassetteFile {
    /// Makes the folder where there is none, writes under another name, and moves the file into place.
    static func write(_ archive: HAR, to file: URL) throws(ErrandError) {
        let folder = file.deletingLastPathComponent()
        let temporary = folder.appendingPathComponent(".\(file.lastPathComponent).\(UUID().uuidString)")
        do {
            let data = try archive.encoded()
            try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
            do {
                try write(data, toNew: temporary)
                guard rename(temporary.path, file.path) == 0 else { throw failure() }
            } catch {
                try? FileManager.default.removeItem(at: temporary)
                throw error
            }
        } catch {
            throw .file(file, "cannot be written", because: error)
        }
    }

    private static func write(_ data: Data, toNew file: URL) throws {
        let descriptor = open(file.path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, 0o600)
        guard descriptor >= 0 else { throw failure() }
        defer { close(descriptor) }
        var rest = data[...]
        while !rest.isEmpty {
            let count = rest.withUnsafeBytes { Foundation.write(descriptor, $0.baseAddress, $0.count) }
            if count < 0 && errno == EINTR { continue }
            guard count > 0 else { throw failure() }
            rest = rest.dropFirst(count)
        }
    }

    private static func failure() -> POSIXError {
        POSIXError(POSIXErrorCode(rawValue: errno) ?? .EIO)
    }
}
