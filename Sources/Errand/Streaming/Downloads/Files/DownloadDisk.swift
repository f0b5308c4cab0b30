/// The blocking system calls of a download.
struct DownloadDisk: Sendable {
    /// Returns the free space in bytes of the directory's file system; `nil` if the system does not report it.
    var availableBytes: @Sendable (_ directory: String) -> Int64?
    /// Writes bytes, as `write(2)` does.
    var write: @Sendable (Int32, UnsafeRawBufferPointer) -> Int
    /// The identifier of the system's current boot, which changes with each boot; `nil` if the system has none.
    var bootSession: String?
    /// The number of bytes that are written between two flushes to the disk.
    var flushInterval: Int64 = 32 << 20

    /// The disk of the system.
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
    /// Creates the error of a failed system call, with the action, the path and the system's message for `errno`.
    ///
    /// - Parameter action: The action that failed, such as `cannot write`.
    static func fileFailure(_ action: String, _ path: String, code: Int32 = errno) -> ErrandError {
        let cause = POSIXErrorCode(rawValue: code).map { POSIXError($0) } ?? POSIXError(.EIO)
        let isFull = [ENOSPC, EDQUOT].contains(code)
        return ErrandError(
            isFull ? .insufficientDiskSpace : .fileAccessFailed,
            reason: "\(action) \(path): \(String(cString: strerror(code)))", underlyingError: cause)
    }
}
