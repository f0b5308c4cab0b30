/// The treatment of redirects (RFC 9110, section 15.4).
public enum RedirectPolicy: Sendable {
    /// Follows redirects, at most 20 in a row. Another redirect fails the request.
    case follow
    /// Returns the redirect as the response.
    case ignore
    /// Calls the closure for each redirect, and follows it if the closure returns `true`; at most 20 in a row.
    ///
    /// The closure receives the redirect response, without its body, and the request that would be sent next. It is
    /// called on a thread of the transport and must return quickly.
    case decide(@Sendable (_ response: DataResponse, _ next: URLRequest) -> Bool)
}
