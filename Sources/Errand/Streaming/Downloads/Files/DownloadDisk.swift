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
    /// What a call failed with that `errno` tells of.
    static func fileFailure(_ what: String, code: Int32 = errno) -> ErrandError {
        let cause = POSIXErrorCode(rawValue: code).map { POSIXError($0) } ?? POSIXError(.EIO)
        if [ENOSPC, EDQUOT].contains(code) {
            return ErrandError(.insufficientDiskSpace, reason: "the disk is full", underlyingError: cause)
        }
        return ErrandError(.fileAccessFailed, reason: "\(what) (errno \(code))", underlyingError: cause)
    }
}
