import Errand

extension Program {
    /// Uploads a file under its own name, and shows the progress.
    func upload(_ path: String, to service: APIService<any Error>) async throws {
        let file = URL(fileURLWithPath: path, isDirectory: false)
        let name = file.lastPathComponent
        let request = UploadFileRequest(name: name, file: file)
        request.retryPolicy = retryPolicy
        let progress = request.uploadProgress
        let response = service.send(request)
        let finished = try await TransferLog(name: name, output: errors).show(progress) { try await response.value }
        let count = progress.latest?.completed ?? 0
        out.line("\(name.onOneLine): \(count) bytes, \(finished.statusCode == 201 ? "new" : "in place of another")")
    }
}
