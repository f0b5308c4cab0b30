/// A user and a password with which a transport responds to a challenge.
///
/// Descriptions of a credential contain neither of them.
public struct PasswordCredential: Hashable, Sendable {
    private let secretUser: Secret
    private let secretPassword: Secret

    /// Creates a credential. The authentication scheme defines which characters are valid.
    public init(user: String, password: String) {
        secretUser = Secret(user)
        secretPassword = Secret(password)
    }

    /// The user.
    public var user: String { secretUser.text }
    /// The password.
    public var password: String { secretPassword.text }
}
