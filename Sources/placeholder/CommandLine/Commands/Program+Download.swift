import Errand

extension Program {
    /// Downloads a file, resumes an interrupted download, and shows the progress.
    ///
    /// - Parameters:
    ///   - output: The path of the local file; `nil` for the same name in the current folder.
    ///   - digest: The expected digest of the file, if it is known.
    func download(
        _ name: String, to output: String?, digest: FileDigest?, from service: APIService<any Error>
    ) async throws {
        // Slashes in a name do not lead to other folders.
        let path = output ?? URL(fileURLWithPath: name).lastPathComponent
        let target = URL(fileURLWithPath: path, isDirectory: false)
        let request = DownloadFileRequest(name: name, target: target, digest: digest)
        request.retryPolicy = retryPolicy
        let response = service.send(request)
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
