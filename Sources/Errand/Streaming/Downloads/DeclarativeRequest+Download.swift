extension DeclarativeRequest {
    /// Builds the request for a service, for a download into a file, as ``APIBase/sendDownload(to:digest:)`` does for a
    /// class.
    ///
    /// ``decode(_:)`` is not called. The response has the progress of the download.
    ///
    /// - Parameters:
    ///   - target: The URL of a file in an existing directory.
    ///   - digest: The expected digest of the file, if it is known from another source.
    ///   - service: The destination of the request, and the settings it is sent with.
    /// - Returns: The download, which runs once for all tasks that wait.
    public func scheduleDownload<Destination: APIService>(
        to target: URL, digest: FileDigest? = nil, with service: Destination
    ) -> ScheduledRequest<DownloadedFile, Destination.Failure> {
        let request = DeclaredRequest(self, stub: nil)
        let pipeline = request.pipeline(for: service) { request.sendDownload(to: target, digest: digest) }
        return ScheduledRequest(pipeline, of: request) { service.failure(DeclaredRequest<Self>.failure($0)) }
    }
}
