/// The bounds of a JSON document.
struct JSONLimits {
    /// How deep arrays and objects may be nested.
    var depth = 512
    /// The offsets of tokens have 32 bits.
    static let documentLength = 1 << 32 - 1
    static let numberLength = 4_096
    static let members = 1 << 26 - 1
}
