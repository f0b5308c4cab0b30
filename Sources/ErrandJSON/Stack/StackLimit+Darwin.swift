// Apple platforms state the highest address of a stack and its size.
#if canImport(Darwin)
extension StackLimit {
    /// The lowest address of a thread's stack.
    static func lowestAddress(of thread: pthread_t) -> UInt {
        UInt(bitPattern: pthread_get_stackaddr_np(thread)) - UInt(pthread_get_stacksize_np(thread))
    }
}
#endif
