/// A user and a password, as a transport is given them to answer a challenge with.
///
/// Its descriptions show neither.
public struct PasswordCredential: Hashable, Sendable {
    private let secretUser: Secret
    private let secretPassword: Secret

    /// A user and a password; what they may consist of is up to the scheme.
    public init(user: String, password: String) {
        secretUser = Secret(user)
        secretPassword = Secret(password)
    }

    /// The user.
    public var user: String { secretUser.text }
    /// The password.
    public var password: String { secretPassword.text }
}
