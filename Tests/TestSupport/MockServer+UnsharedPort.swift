import Errand
package import ErrandMockServer

extension MockServer {
    /// Ports below the range from which Linux and Apple's systems assign ports, so that no other server receives one.
    private static let unshared = Locked(Array((10_240..<32_768).shuffled()))

    /// Returns a server on a port that no other test of this process uses, also after the server has stopped.
    ///
    /// - Throws: ``MockServerError`` when no port is free.
    package static func onUnsharedPort() throws -> MockServer {
        while let port = unshared.withLock({ $0.popLast() }) {
            if let server = try? MockServer(port: UInt16(port)) { return server }
        }
        throw MockServerError.system(operation: "bind", errno: EADDRINUSE)
    }
}
