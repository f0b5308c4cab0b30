/// An access key of AWS, or of a service that speaks its protocols.
///
/// Its descriptions show the identifier alone.
public struct AWSCredential: Hashable, Sendable {
    /// The identifier of the access key, which is sent.
    public let id: String
    let secret: Secret
    let token: Secret?

    /// - Parameters:
    ///   - id: The identifier of the access key.
    ///   - secret: The secret access key, which is not sent.
    ///   - sessionToken: The token of a temporary credential; `nil` for one that lasts.
    public init(id: String, secret: String, sessionToken: String? = nil) {
        self.id = id
        self.secret = Secret(secret)
        token = sessionToken.map(Secret.init)
    }
}

extension AWSCredential: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
    /// The identifier alone.
    public var description: String { id }
    /// The same as ``description``.
    public var debugDescription: String { description }
    /// The identifier alone, so that `dump` shows no secret either.
    public var customMirror: Mirror { Mirror(self, children: ["id": id]) }
}
