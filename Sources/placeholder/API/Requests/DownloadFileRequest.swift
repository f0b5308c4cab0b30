import Errand

/// Downloads a file with GET.
final class DownloadFileRequest: FileAPI, Request {
    let target: URL
    let digest: FileDigest?

    init(name: String, target: URL, digest: FileDigest?) {
        self.target = target
        self.digest = digest
        super.init(name: name)
    }

    func start() -> Pipeline<DownloadedFile, any Error> {
        sendDownload(to: target, digest: digest)
    }
}
