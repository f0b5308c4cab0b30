import Errand

/// Uploads a file, and shows the progress.
struct UploadCommand {
    let file: URL
    let service: APIService<any Error>
    let policy: RetryPolicy
    let out: Output
    let errors: Output

    func run() async throws {
        let name = file.lastPathComponent
        let request = UploadFileRequest(name: name, file: file)
        request.retryPolicy = policy
        let progress = request.uploadProgress
        let response = request.schedule(with: service)
        let finished = try await TransferLog(name: name, output: errors).show(progress) { try await response.value }
        let count = progress.latest?.completed ?? 0
        out.line("\(name.onOneLine): \(count) bytes, \(finished.statusCode == 201 ? "new" : "in place of another")")
    }
}
