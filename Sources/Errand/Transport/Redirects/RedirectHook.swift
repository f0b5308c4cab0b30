/// The actions of an interceptor at each redirect that the transport follows.
package struct RedirectHook: Sendable {
    /// The interceptor. Requests with hooks of different owners do not share a transfer.
    let owner: ObjectIdentifier
    /// The pairs that the owner has added to the `Cookie` field of the latest request.
    var cookies: [String]
    /// Observes a redirect response, even if it cannot be followed. Called on a thread of the transport; must return
    /// quickly.
    let observe: @Sendable (_ response: DataResponse) -> Void
    /// Changes the header fields of the next request, and returns the owner's pairs in it. The request still has the
    /// previous pairs unless it goes to another origin. Called on a thread of the transport; must return quickly.
    let change: @Sendable (_ next: inout URLRequest, _ cookies: [String]) -> [String]
}
