/// A type that may hold secrets. Its description, its debug description and `dump` show none.
///
/// A conforming type writes a description without secrets. The rest follows from it.
package protocol Confidential: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {}

extension Confidential {
    /// The same as `description`.
    public var debugDescription: String { description }
    /// A mirror with the description as its only child, so that `dump` shows no secrets.
    public var customMirror: Mirror { Mirror(self, children: ["description": description]) }
}
