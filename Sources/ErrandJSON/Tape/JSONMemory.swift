/// Memory for the coders, which `free` releases.
enum JSONMemory {
    /// Allocates memory, or moves the content of `memory` to a place with room for `count` values.
    ///
    /// Without memory, the program ends, as it does when an array of the standard library cannot grow. An error would
    /// need memory too.
    static func resized<Value: BitwiseCopyable>(
        _ memory: UnsafeMutablePointer<Value>?, to count: Int
    ) -> UnsafeMutablePointer<Value> {
        guard let moved = realloc(memory, count * MemoryLayout<Value>.stride) else {
            fatalError("out of memory for a JSON document")
        }
        return moved.assumingMemoryBound(to: Value.self)
    }
}
