import Errand

/// Downloads a file, resumes an interrupted download, and shows the progress.
struct DownloadCommand {
    let name: String
    let target: URL
    let digest: FileDigest?
    let service: APIService<any Error>
    let policy: RetryPolicy
    let out: Output
    let errors: Output

    func run() async throws {
        let request = DownloadFileRequest(name: name, target: target, digest: digest)
        request.retryPolicy = policy
        let response = request.schedule(with: service)
        let file = try await TransferLog(name: name, output: errors).show(request.downloadProgress) {
            try await response.value
        }
        out.line(summary(of: file))
    }

    private func summary(of file: DownloadedFile) -> String {
        let resumed = file.resumedByteCount > 0 ? ", \(file.resumedByteCount) of them from an earlier run" : ""
        let algorithms = Set(file.verifiedDigests.map(\.algorithm.rawValue)).sorted()
        let verified = algorithms.isEmpty ? "" : "; \(algorithms.joined(separator: " and ")) verified"
        return "\(file.url.lastPathComponent.onOneLine): \(file.byteCount) bytes\(resumed)\(verified)"
    }
}
