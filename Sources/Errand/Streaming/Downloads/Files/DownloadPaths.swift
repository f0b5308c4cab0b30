/// The paths of a download's files. They are in the target's directory, so that moving the file into place is one step.
struct DownloadPaths: Hashable, Sendable {
    let target: URL
    let directory: String
    /// The name of the partial file: `.NAME.errand-partial`.
    let partial: String
    /// The name of its record: `.NAME.errand-resume`.
    let record: String

    /// - Throws: ``ErrandError`` with `invalidDownloadTarget`.
    init(_ target: URL) throws(ErrandError) {
        let name = target.lastPathComponent
        guard target.isFileURL, !target.hasDirectoryPath, !["", "/", ".", ".."].contains(name),
            !name.utf8.contains(0)
        else {
            throw ErrandError(
                .invalidDownloadTarget,
                reason: "the target \(target.redacted.absoluteString) is not a file URL with a file name")
        }
        self.target = target.standardizedFileURL
        directory = self.target.deletingLastPathComponent().path
        // File systems limit names to 255 bytes.
        let short = name.utf8.count <= 200 ? name : String(SHA256.hexDigest(texts: [name]).prefix(32))
        partial = ".\(short).errand-partial"
        record = ".\(short).errand-resume"
    }

    /// Returns the path of one of the names.
    func path(_ name: String) -> String { directory == "/" ? "/\(name)" : "\(directory)/\(name)" }
}
