extension EndpointRequest {
    /// Builds the request for a service, for a download into a file, as ``APIBase/sendDownload(to:digest:)`` does for a
    /// class.
    ///
    /// The endpoint's output is not used. The response has the progress of the download.
    ///
    /// - Parameters:
    ///   - target: The URL of a file in an existing directory.
    ///   - digest: The expected digest of the file, if it is known from another source.
    ///   - service: The destination of the request, and the settings it is sent with.
    /// - Returns: The download, which runs once for all tasks that wait.
    public func scheduleDownload<Failure>(
        to target: URL, digest: FileDigest? = nil, with service: APIService<Failure>
    ) -> ScheduledRequest<DownloadedFile, Failure> {
        let (api, endpoint) = (APIBase(), endpoint)
        let pipeline = api.pipeline(for: service, server: endpoint.server) {
            api.sending(endpoint) { api.sendDownload(to: target, digest: digest) }
        }
        return ScheduledRequest(pipeline, of: api) { service.failure($0) }
    }

    /// Builds a request that needs no service, for a download into a file; see ``schedule(stub:)``.
    public func scheduleDownload(
        to target: URL, digest: FileDigest? = nil
    ) -> ScheduledRequest<DownloadedFile, any Error> {
        let api = APIBase()
        return ScheduledRequest(api.sending(endpoint) { api.sendDownload(to: target, digest: digest) }, of: api) { $0 }
    }
}
