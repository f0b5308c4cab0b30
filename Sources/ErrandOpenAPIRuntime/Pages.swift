extension Pages {
    /// Creates the pages of a request's list, with the credentials of a service.
    ///
    /// - Parameters:
    ///   - style: The way in which the API counts its pages.
    ///   - service: The service that sends the requests.
    ///   - request: Returns a new request. It is called for each page, from any thread.
    public init<Source: Request & SendableMetatype, Failure>(
        _ style: PaginationStyle, with service: APIService<Failure>, request: @escaping @Sendable () throws -> Source
    ) where Source.Output == Page {
        self.init(style) { position in
            let request = try request()
            request.pagePosition = position
            return request.schedule(with: service)
        }
    }
}
