/// The bounds of a JSON document.
enum JSONLimits {
    /// The offsets of tokens have 32 bits.
    static let documentLength = 1 << 32 - 1
    /// The indices of tokens have 32 bits. The last one stands for no token.
    static let words = 1 << 32 - 16
    static let numberLength = 4_096
    static let members = 1 << 26 - 1
}
