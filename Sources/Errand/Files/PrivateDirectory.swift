/// Access to a directory, for files that only their owner can read. Every call blocks.
package struct PrivateDirectory: Sendable {
    /// The file is not a regular file, is too large, or belongs to another user.
    struct Unreadable: Error {}
    /// The directory belongs to another user, or others may write into it.
    struct Untrusted: Error {}

    let path: String

    package init(path: String) {
        self.path = path
    }

    /// Creates the directory, accessible only to its owner, if it does not exist.
    func create() throws {
        try FileManager.default.createDirectory(
            atPath: path, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
    }

    /// Whether the directory exists.
    ///
    /// - Throws: ``Untrusted``.
    func exists() throws -> Bool {
        var status = stat()
        // `stat` follows a symbolic link, so this checks the directory to which the link leads.
        guard stat(path, &status) == 0 else { return false }
        guard status.st_uid == geteuid(), status.st_mode & (S_IWGRP | S_IWOTH) == 0 else { throw Untrusted() }
        return true
    }

    /// The time when a file was last added or removed; `nil` if the directory does not exist.
    ///
    /// - Throws: ``Untrusted``.
    func changed() throws -> Date? { try exists() ? attributes("")?[.modificationDate] as? Date : nil }

    /// The names of all files in the directory.
    func names() throws -> [String] {
        try FileManager.default.contentsOfDirectory(atPath: path)
    }

    /// The size of a file, and the time of its last use, which is its modification date; `nil` if no regular file
    /// has this name.
    func status(of name: String) -> (size: Int, used: Date)? {
        guard let attributes = attributes(name), attributes[.type] as? FileAttributeType == .typeRegular,
            let size = attributes[.size] as? NSNumber, let used = attributes[.modificationDate] as? Date
        else { return nil }
        return (size.intValue, used)
    }

    /// Reads a file; returns `nil` if it does not exist.
    ///
    /// - Throws: ``Unreadable``; a `POSIXError` if a system call fails.
    func read(_ name: String, atMost limit: Int) throws -> Data? {
        // Without `O_NONBLOCK`, opening a named pipe waits for a writer.
        let descriptor = open(path(of: name), O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK)
        guard descriptor >= 0 else {
            switch errno {
            case ENOENT: return nil
            case ELOOP, EISDIR: throw Unreadable()
            default: throw Self.failure()
            }
        }
        defer { close(descriptor) }
        var status = stat()
        guard fstat(descriptor, &status) == 0, status.st_mode & S_IFMT == S_IFREG, status.st_uid == geteuid(),
            status.st_size <= limit
        else { throw Unreadable() }
        var data = Data(count: Int(status.st_size))
        var filled = 0
        while filled < data.count {
            let count = data.withUnsafeMutableBytes { bytes in
                Foundation.read(descriptor, bytes.baseAddress.map { $0 + filled }, bytes.count - filled)
            }
            if count < 0 && errno == EINTR { continue }
            guard count >= 0 else { throw Self.failure() }
            // The file may have become shorter.
            guard count > 0 else { break }
            filled += count
        }
        return data.prefix(filled)
    }

    /// Writes a temporary file and moves it into place, so that readers never see an incomplete file.
    ///
    /// - Parameter temporary: The name of the temporary file, which must not exist.
    package func write(_ data: Data, to name: String, by temporary: String) throws {
        let descriptor = open(path(of: temporary), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, 0o600)
        guard descriptor >= 0 else { throw Self.failure() }
        do {
            defer { close(descriptor) }
            try Self.write(data, to: descriptor)
            guard rename(path(of: temporary), path(of: name)) == 0 else { throw Self.failure() }
        } catch {
            try? remove(temporary)
            throw error
        }
    }

    /// Removes a file if it exists.
    func remove(_ name: String) throws {
        guard unlink(path(of: name)) == 0 || errno == ENOENT else { throw Self.failure() }
    }

    /// Sets the time of a file's last use.
    func touch(_ name: String, at date: Date) {
        // File systems store a limited range of times; 4e9 is in the year 2096.
        let time = Date(timeIntervalSince1970: min(max(date.timeIntervalSince1970, 0), 4e9))
        try? FileManager.default.setAttributes([.modificationDate: time], ofItemAtPath: path(of: name))
    }

    /// Returns the path of a file. For an empty name, it is that of the directory with a slash at the end, so that the
    /// system follows a symbolic link.
    private func path(of name: String) -> String { "\(path)/\(name)" }

    /// Returns the attributes from Foundation, because the system's names for the times of a file differ between
    /// platforms.
    private func attributes(_ name: String) -> [FileAttributeKey: Any]? {
        try? FileManager.default.attributesOfItem(atPath: path(of: name))
    }

    private static func write(_ data: Data, to descriptor: Int32) throws {
        var rest = data[...]
        while !rest.isEmpty {
            let count = rest.withUnsafeBytes { Foundation.write(descriptor, $0.baseAddress, $0.count) }
            if count < 0 && errno == EINTR { continue }
            guard count > 0 else { throw failure() }
            rest = rest.dropFirst(count)
        }
    }

    /// The error of the last system call.
    private static func failure() -> any Error {
        POSIXErrorCode(rawValue: errno).map { POSIXError($0) } ?? POSIXError(.EIO)
    }
}
