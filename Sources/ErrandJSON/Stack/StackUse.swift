/// The part of a thread's stack that has been used, for code that recurses as deep as a document or a value is nested.
///
/// ```swift
/// guard stack.isLittleUsed || StackLimit.hasRoom else { throw … }
/// ```
struct StackUse {
    /// The number of bytes that may be used before ``StackLimit`` is checked, which takes longer than decoding a value.
    private static let unchecked: UInt = 96 << 10

    private let start = Self.address

    /// Whether little of the stack has been used since this value was created. A stack grows to lower addresses.
    @inline(__always)
    var isLittleUsed: Bool { start &- Self.address < Self.unchecked }

    @inline(__always)
    static var address: UInt {
        var here: UInt8 = 0
        return withUnsafeMutablePointer(to: &here) { UInt(bitPattern: $0) }
    }
}
