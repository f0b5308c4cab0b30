/// What is known of a file that is not whole yet: what its next run needs to go on.
///
/// It has a digest of the URL, and not the URL, which may hold a secret.
struct PartialRecord: Codable, Hashable, Sendable {
    static let currentVersion = 1

    var version = PartialRecord.currentVersion
    /// The digest of what was asked for.
    var key: String
    var validator: RepresentationValidator
    var total: Int64?
    /// By the name of its algorithm, in hexadecimal digits.
    var digest: [String: String] = [:]
    /// How many bytes have surely reached the disk.
    var durableCount: Int64 = 0
    /// Which run of the machine wrote it.
    var bootSession: String?

    init(key: String, validator: RepresentationValidator, total: Int64?, digest: FileDigest?, bootSession: String?) {
        self.key = key
        self.validator = validator
        self.total = total
        self.digest = digest.map { [$0.algorithm.rawValue: $0.bytes.hexadecimal] } ?? [:]
        self.bootSession = bootSession
    }

    /// From where a file of this size is gone on with; nil where nothing of it can be trusted.
    ///
    /// What a process wrote is in the file as long as the machine runs, however the process ended. After the machine went
    /// down, only what had been made to last before is. A record that says more than the file has is of another file.
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
