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
    let width: Int

    func run() async throws {
        let request = DownloadFileRequest(name: name, target: target, digest: digest)
        request.retryPolicy = policy
        let progress = request.downloadProgress.measured(every: .milliseconds(200), clock: policy.clock)
        let response = request.schedule(with: service)
        let file = try await TransferDisplay(name: name, output: errors, width: width).show(progress) {
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

extension TransferDisplay {
    /// Shows the progress while `transfer` runs.
    func show<Value>(
        _ progress: some AsyncSequence<TransferProgress.Measurement, Never> & Sendable,
        during transfer: () async throws -> Value
    ) async throws -> Value {
        let watching = Task { await show(progress) }
        do {
            let value = try await transfer()
            await watching.value
            return value
        } catch {
            // A transfer that did not start has no end either.
            watching.cancel()
            await watching.value
            throw error
        }
    }
}
