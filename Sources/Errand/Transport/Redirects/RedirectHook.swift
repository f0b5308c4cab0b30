/// What an interceptor does at each redirect that the transport follows.
package struct RedirectHook: Sendable {
    /// The interceptor. Requests with hooks of different owners do not share a transfer.
    let owner: ObjectIdentifier
    /// The pairs that the owner has added to the `Cookie` field of the request that was sent last.
    var cookies: [String]
    /// Sees a redirecting response, also one that cannot be followed. Called on a thread of the transport; must be quick.
    let observe: @Sendable (_ response: DataResponse) -> Void
    /// Changes the header fields of the next request, which still has the owner's pairs unless it goes to another origin. Returns the
    /// pairs that it has now. Called on a thread of the transport; must be quick.
    let change: @Sendable (_ next: inout URLRequest, _ cookies: [String]) -> [String]
}
