import Errand

/// A library that is loaded at run time and never unloaded, so its functions stay valid.
struct SharedLibrary {
    private let name: String
    private let handle: UnsafeMutableRawPointer

    /// - Throws: ``MockServerError/tlsUnavailable(_:)`` with the system's message if the library cannot be loaded.
    init(_ name: String) throws(MockServerError) {
        guard let handle = dlopen(name, RTLD_NOW) else {
            throw .tlsUnavailable(dlerror().map { String(cString: $0) } ?? "no \(name)")
        }
        self.name = name
        self.handle = handle
    }

    /// Returns a function by its name, or by the name that an older version has for it.
    ///
    /// - Parameter type: The type of the function, with the C calling convention. It is not checked.
    func function<Function>(
        _ name: String, or olderName: String? = nil, as type: Function.Type = Function.self
    ) throws(MockServerError) -> Function {
        precondition(MemoryLayout<Function>.size == MemoryLayout<UnsafeMutableRawPointer>.size, "no C function")
        guard let symbol = dlsym(handle, name) ?? olderName.flatMap({ dlsym(handle, $0) }) else {
            throw .tlsUnavailable("\(self.name) has no \(name)")
        }
        return unsafeBitCast(symbol, to: type)
    }
}
