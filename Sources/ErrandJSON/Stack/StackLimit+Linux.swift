// Linux states the lowest address of a stack.
#if !canImport(Darwin)
extension StackLimit {
    private typealias GetAttributes = @convention(c) (pthread_t, UnsafeMutablePointer<pthread_attr_t>) -> CInt

    /// `pthread_getattr_np`, which Swift's module of the C library does not declare.
    private static let getAttributes = dlsym(nil, "pthread_getattr_np").map {
        unsafeBitCast($0, to: GetAttributes.self)
    }

    /// The lowest address of a thread's stack. If it is unknown, the highest possible address, so that ``hasRoom`` is
    /// `true`.
    static func lowestAddress(of thread: pthread_t) -> UInt {
        var attributes = pthread_attr_t()
        guard let getAttributes, getAttributes(thread, &attributes) == 0 else { return .max }
        defer { pthread_attr_destroy(&attributes) }
        var start: UnsafeMutableRawPointer?
        var size = 0
        guard pthread_attr_getstack(&attributes, &start, &size) == 0 else { return .max }
        return UInt(bitPattern: start)
    }
}
#endif
