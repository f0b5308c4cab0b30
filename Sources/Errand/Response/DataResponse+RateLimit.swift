extension DataResponse {
    /// Returns the time until the server resets its quota, if the response says that the quota is used up.
    ///
    /// See ``HeaderFields/rateLimitReset(statusCode:now:)`` for the header fields that are read.
    ///
    /// - Parameter now: The current time; the system's by default.
    public func rateLimitReset(now: Date = Date()) -> Duration? {
        headers.rateLimitReset(statusCode: statusCode, now: now)
    }
}
