/// What is done with a redirect (RFC 9110, section 15.4).
public enum RedirectPolicy: Sendable {
    /// Follows it, up to twenty in a row.
    case follow
    /// Takes it for the answer.
    case ignore
    /// Asks for each: true follows.
    ///
    /// The closure gets the redirecting answer, without its body, and the request that would be sent. It is called on a
    /// thread of the transport's and must be quick.
    case decide(@Sendable (_ response: DataResponse, _ next: URLRequest) -> Bool)
}
