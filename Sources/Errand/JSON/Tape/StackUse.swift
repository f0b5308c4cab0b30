/// How much of a thread's stack is left, for code that recurses as deep as a document or a value says.
///
/// ```swift
/// guard stack.isLittleUsed || stackLimit.hasRoom else { throw … }
/// ```
struct StackUse {
    /// What may be used, in bytes, before the system is asked, which takes longer than decoding a value.
    private static let unasked: UInt = 96 << 10

    private let start = Self.address

    /// Whether little has been used since this was made.
    @inline(__always)
    // A stack grows to lower addresses.
    var isLittleUsed: Bool { start &- Self.address < Self.unasked }

    @inline(__always)
    fileprivate static var address: UInt {
        var here: UInt8 = 0
        return withUnsafeMutablePointer(to: &here) { UInt(bitPattern: $0) }
    }
}

/// Where the stack of a thread ends, which the system is asked once.
struct StackLimit {
    /// What must be left, in bytes.
    private static let reserve: UInt = 64 << 10

    private var known: (thread: pthread_t, lowest: UInt)?

    /// Whether enough is left for one more value, and for the error that ends it.
    var hasRoom: Bool {
        @inline(never)
        mutating get {
            let thread = pthread_self()
            if known?.thread != thread { known = (thread, Self.lowestAddress(of: thread)) }
            let address = StackUse.address
            guard let lowest = known?.lowest else { return true }
            // Code that runs on a stack of its own is not judged.
            return address < lowest || address - lowest > Self.reserve
        }
    }

    #if !canImport(Darwin)
    private typealias GetAttributes = @convention(c) (pthread_t, UnsafeMutablePointer<pthread_attr_t>) -> CInt

    /// `pthread_getattr_np`, which the module of the C library does not show.
    private static let getAttributes = dlsym(nil, "pthread_getattr_np").map {
        unsafeBitCast($0, to: GetAttributes.self)
    }
    #endif

    /// The lowest address of a thread's stack; the highest of all if the system does not tell.
    private static func lowestAddress(of thread: pthread_t) -> UInt {
        #if canImport(Darwin)
        return UInt(bitPattern: pthread_get_stackaddr_np(thread)) - UInt(pthread_get_stacksize_np(thread))
        #else
        var attributes = pthread_attr_t()
        guard let getAttributes, getAttributes(thread, &attributes) == 0 else { return .max }
        defer { pthread_attr_destroy(&attributes) }
        var start: UnsafeMutableRawPointer?
        var size = 0
        guard pthread_attr_getstack(&attributes, &start, &size) == 0 else { return .max }
        return UInt(bitPattern: start)
        #endif
    }
}
