import Errand

/// An access key of AWS, or of a compatible service.
///
/// Its descriptions show only the identifier.
public struct AWSCredential: Hashable, Sendable {
    /// The identifier of the access key, which is sent.
    public let id: String
    let secret: Secret
    let token: Secret?

    /// Creates an access key.
    ///
    /// - Parameters:
    ///   - id: The identifier of the access key.
    ///   - secret: The secret access key, which is not sent.
    ///   - sessionToken: The token of a temporary credential; `nil`, the default, for a permanent one.
    public init(id: String, secret: String, sessionToken: String? = nil) {
        self.id = id
        self.secret = Secret(secret)
        token = sessionToken.map(Secret.init)
    }
}

extension AWSCredential: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
    /// Only the identifier.
    public var description: String { id }
    /// The same as ``description``.
    public var debugDescription: String { description }
    /// A mirror with only the identifier, so that `dump` shows no secret either.
    public var customMirror: Mirror { Mirror(self, children: ["id": id]) }
}
