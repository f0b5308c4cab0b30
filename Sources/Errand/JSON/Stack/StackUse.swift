/// How much of a thread's stack is left, for code that recurses as deep as a document or a value says.
///
/// ```swift
/// guard stack.isLittleUsed || StackLimit.hasRoom else { throw … }
/// ```
struct StackUse {
    /// What may be used, in bytes, before a call of the system, which takes longer than decoding a value.
    private static let unchecked: UInt = 96 << 10

    private let start = Self.address

    /// Whether little has been used since this was made. A stack grows to lower addresses.
    @inline(__always)
    var isLittleUsed: Bool { start &- Self.address < Self.unchecked }

    @inline(__always)
    static var address: UInt {
        var here: UInt8 = 0
        return withUnsafeMutablePointer(to: &here) { UInt(bitPattern: $0) }
    }
}
