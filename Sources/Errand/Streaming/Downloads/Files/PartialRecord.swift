/// The record of an incomplete file, which the next run needs to resume it.
///
/// It contains a digest of the URL instead of the URL, which may contain a secret.
struct PartialRecord: Codable, Hashable, Sendable {
    static let currentVersion = 1

    var version = PartialRecord.currentVersion
    /// The digest of the request.
    var key: String
    var validator: RepresentationValidator
    var total: Int64?
    /// The hexadecimal digest, by the name of its algorithm.
    var digest: [String: String] = [:]
    /// The number of bytes that have certainly reached the disk.
    var durableCount: Int64 = 0
    /// The boot of the system that wrote the record.
    var bootSession: String?

    init(key: String, validator: RepresentationValidator, total: Int64?, digest: FileDigest?, bootSession: String?) {
        self.key = key
        self.validator = validator
        self.total = total
        self.digest = digest.map { [$0.algorithm.rawValue: $0.bytes.hexadecimal] } ?? [:]
        self.bootSession = bootSession
    }

    /// Returns the point from which a file of this size can resume; `nil` if none of it can be trusted.
    ///
    /// Bytes that a process wrote are safe while the system runs, however the process ended. After a restart, only
    /// flushed bytes are trusted. A record of more bytes than the file contains belongs to another file.
    func resumePoint(fileSize: Int64, key: String, bootSession: String?) -> ResumePoint? {
        guard version == Self.currentVersion, self.key == key, 0...fileSize ~= durableCount else { return nil }
        let count = bootSession != nil && bootSession == self.bootSession ? fileSize : durableCount
        guard count > 0, total.map({ count <= $0 }) ?? true else { return nil }
        return ResumePoint(count: count, validator: validator, total: total, digest: fileDigest)
    }

    private var fileDigest: FileDigest? {
        digest.first.flatMap { name, digits in
            FileDigest.Algorithm(rawValue: name).flatMap { try? FileDigest($0, hex: digits) }
        }
    }
}
