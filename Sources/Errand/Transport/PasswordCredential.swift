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

/// A string that does not appear in descriptions, mirrors and `dump`, including those of values that contain it.
package struct Secret: Hashable, Sendable {
    package let text: String

    package init(_ text: String) {
        self.text = text
    }
}

extension Secret: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
    package var description: String { "***" }
    package var debugDescription: String { "***" }
    package var customMirror: Mirror { Mirror(self, children: [], displayStyle: .struct) }
}
