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
            // An address outside the stack, as a sanitizer can use, says nothing.
            return address < lowest || address - lowest > Self.reserve
        }
    }
}
