/// The end of the current thread's stack, which is found once for each thread.
enum StackLimit {
    /// The number of bytes of the stack that must be left.
    private static let reserve: UInt = 64 << 10

    /// The key under which each thread stores the lowest address of its stack. Finding it takes long: for the main
    /// thread, Linux must read a file. `nil` if the process has too many keys.
    private static let key: pthread_key_t? = {
        var key = pthread_key_t()
        return pthread_key_create(&key, nil) == 0 ? key : nil
    }()

    private static var lowestAddress: UInt {
        guard let key else { return lowestAddress(of: pthread_self()) }
        if let known = pthread_getspecific(key) { return UInt(bitPattern: known) }
        let address = lowestAddress(of: pthread_self())
        pthread_setspecific(key, UnsafeRawPointer(bitPattern: address))
        return address
    }

    /// Whether enough of the stack is left for one more value, and for the error that may end it.
    static var hasRoom: Bool {
        @inline(never)
        get {
            let (address, lowest) = (StackUse.address, lowestAddress)
            // An address outside the stack, which a sanitizer can use, does not show how much is left.
            return address < lowest || address - lowest > reserve
        }
    }
}

/// The part of a thread's stack that has been used, for code that recurses as deep as a document or a value is nested.
///
/// ```swift
/// guard stack.isLittleUsed || StackLimit.hasRoom else { throw … }
/// ```
struct StackUse {
    /// The number of bytes that may be used before ``StackLimit`` is checked, which takes longer than decoding a value.
    /// The code relies on a caller that leaves at least this much.
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
