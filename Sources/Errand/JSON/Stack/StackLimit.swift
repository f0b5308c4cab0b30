/// The end of the current thread's stack. The system finds it once for each thread.
enum StackLimit {
    /// What must be left, in bytes.
    private static let reserve: UInt = 64 << 10

    /// Where each thread keeps the lowest address of its stack. The system reads a file to tell that of the main
    /// thread.
    private static let key: pthread_key_t = {
        var key = pthread_key_t()
        pthread_key_create(&key, nil)
        return key
    }()

    private static var lowestAddress: UInt {
        if let known = pthread_getspecific(key) { return UInt(bitPattern: known) }
        let address = lowestAddress(of: pthread_self())
        pthread_setspecific(key, UnsafeRawPointer(bitPattern: address))
        return address
    }

    /// Whether enough is left for one more value, and for the error that ends it.
    static var hasRoom: Bool {
        @inline(never)
        get {
            let (address, lowest) = (StackUse.address, lowestAddress)
            // An address outside the stack, as a sanitizer can use, says nothing.
            return address < lowest || address - lowest > reserve
        }
    }
}
