import Errand

/// A connection to a port on the loopback interface. Its blocking calls run on two queues.
final class LoopbackConnection: Sendable {
    private let descriptor: Int32
    private let reading = BlockingQueue(label: "MockServer.tunnel.read")
    private let writing = BlockingQueue(label: "MockServer.tunnel.write")

    /// Connects. This blocks the caller, but for a very short time on the loopback interface.
    ///
    /// - Throws: ``MockServerError/system(operation:errno:)``, for example if nothing listens on the port.
    init(port: UInt16) throws(MockServerError) {
        descriptor = socket(AF_INET, SocketPlatform.streamType, 0)
        guard descriptor >= 0 else { throw .system("socket") }
        SocketPlatform.prepare(descriptor)
        _ = fcntl(descriptor, F_SETFD, FD_CLOEXEC)
        guard SocketAddress.ipv4(port: port).connect(descriptor) == 0 else { throw .system("connect") }
    }

    // Blocking calls keep a reference, so the descriptor cannot be closed and reused while they run.
    deinit {
        close(descriptor)
    }

    /// Forwards bytes in both directions between a client and a port, until either side ends or the task is cancelled.
    static func tunnel(_ client: any ByteConnection, toPort port: UInt16) async {
        guard let server = try? LoopbackConnection(port: port) else { return }
        await withTaskGroup(of: Void.self) { group in
            group.addTask {
                while let bytes = try? await client.read(), (try? await server.write(bytes)) != nil {}
            }
            group.addTask {
                while let bytes = try? await server.read(), (try? await client.write(bytes)) != nil {}
            }
            await group.next()
            // Makes the other direction return.
            server.end()
            client.close()
            group.cancelAll()
        }
    }

    /// Reads the next bytes; returns `nil` at the end of the connection.
    private func read() async throws -> [UInt8]? {
        try await reading.run { [self] in
            var count = 0
            let bytes = [UInt8](unsafeUninitializedCapacity: 65_536) { buffer, initialized in
                repeat {
                    count = recv(descriptor, buffer.baseAddress, buffer.count, 0)
                } while count < 0 && errno == EINTR
                initialized = max(count, 0)
            }
            return count > 0 ? bytes : nil
        }
    }

    /// Writes all bytes.
    private func write(_ bytes: [UInt8]) async throws {
        try await writing.run { [self] in
            var rest = bytes[...]
            while !rest.isEmpty {
                let count = rest.withUnsafeBytes {
                    send(descriptor, $0.baseAddress, $0.count, SocketPlatform.sendFlags)
                }
                if count < 0 && errno == EINTR { continue }
                guard count > 0 else { throw MockServerError.system("send") }
                rest = rest.dropFirst(count)
            }
        }
    }

    /// Ends both directions, so that waiting calls return.
    private func end() {
        shutdown(descriptor, Int32(SHUT_RDWR))
    }
}
