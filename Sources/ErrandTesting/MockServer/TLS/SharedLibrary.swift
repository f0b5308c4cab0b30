import Errand

/// A library that is opened at run time, and then stays: the functions taken from it are valid for good.
struct SharedLibrary {
    private let name: String
    private let handle: UnsafeMutableRawPointer

    /// - Throws: ``MockServerError/tlsUnavailable(_:)``, with what the system says, when it is not there.
    init(_ name: String) throws(MockServerError) {
        guard let handle = dlopen(name, RTLD_NOW) else {
            throw .tlsUnavailable(dlerror().map { String(cString: $0) } ?? "no \(name)")
        }
        self.name = name
        self.handle = handle
    }

    /// A function by its name, or by another that it has in an older version.
    ///
    /// - Parameter type: Its type, of the C convention; nothing checks it.
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
