/// What a download asks of the system, in calls that block.
struct DownloadDisk: Sendable {
    /// How many bytes may still be written below a directory; nil where the system does not say.
    var availableBytes: @Sendable (_ directory: String) -> Int64?
    /// Writes as `write(2)` does.
    var write: @Sendable (Int32, UnsafeRawBufferPointer) -> Int
    /// What the running system is called; another after each start of the machine. Nil where it has no such name.
    var bootSession: String?
    /// How many bytes are written before they are made to last.
    var flushInterval: Int64 = 32 << 20

    /// The real one.
    static let system = DownloadDisk(
        availableBytes: { directory in
            let attributes = try? FileManager.default.attributesOfFileSystem(forPath: directory)
            return (attributes?[.systemFreeSize] as? NSNumber)?.int64Value
        },
        write: { descriptor, bytes in Foundation.write(descriptor, bytes.baseAddress, bytes.count) },
        bootSession: (try? String(contentsOfFile: "/proc/sys/kernel/random/boot_id", encoding: .utf8))?
            .trimmingCharacters(in: .whitespacesAndNewlines))
}

extension ErrandError {
    /// A system call that failed: what was to be done, the path, and the system's words for `errno`.
    ///
    /// - Parameter action: What was to be done with the file at the path, such as `cannot write`.
    static func fileFailure(_ action: String, _ path: String, code: Int32 = errno) -> ErrandError {
        let cause = POSIXErrorCode(rawValue: code).map { POSIXError($0) } ?? POSIXError(.EIO)
        let isFull = [ENOSPC, EDQUOT].contains(code)
        return ErrandError(
            isFull ? .insufficientDiskSpace : .fileAccessFailed,
            reason: "\(action) \(path): \(String(cString: strerror(code)))", underlyingError: cause)
    }
}
