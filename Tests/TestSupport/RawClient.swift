public import Foundation

/// A TCP client for tests that shows what a server sent byte by byte, and how the connection ended.
///
/// Each call blocks a separate thread, never one of Swift's pool. Cancelling the task ends the connection and with it
/// the call that waits for it.
public final class RawClient: Sendable {
    /// How a connection ended.
    public enum Ending: Sendable {
        /// The server closed the connection with a FIN.
        case closed
        /// The server reset the connection with an RST.
        case reset
    }

    /// A system call that failed.
    public struct Failure: Error, Hashable {
        /// The name of the call.
        public let operation: String
        /// Its `errno`.
        public let code: Int32

        /// No process listens on that port.
        public static let refused = Failure(operation: "connect", code: ECONNREFUSED)
    }

    private let descriptor: Int32

    private init(descriptor: Int32) {
        self.descriptor = descriptor
    }

    deinit {
        close(descriptor)
    }

    /// Connects to the port of a URL, on the loopback.
    ///
    /// - Parameters:
    ///   - url: Any URL with that port.
    ///   - prepare: Called when the client has its descriptor, before it connects.
    public static func connect(
        to url: URL, prepare: @escaping @Sendable () -> Void = {}
    ) async throws -> RawClient {
        let port = UInt16(url.port ?? 80)
        // The object is created here, because the thread sanitizer does not recognize that a continuation passes on an
        // object of another thread.
        return RawClient(descriptor: try await onThreadOfItsOwn { try connectedSocket(port: port, prepare: prepare) })
    }

    /// Sends all of this text.
    public func send(_ text: String) async throws {
        try await send(Data(text.utf8))
    }

    /// Sends all of these bytes.
    public func send(_ data: Data) async throws {
        try await blocking { descriptor in
            var rest = data[...]
            while !rest.isEmpty {
                let count = rest.withUnsafeBytes { Foundation.write(descriptor, $0.baseAddress, $0.count) }
                guard count > 0 else { throw Failure(operation: "write", code: errno) }
                rest = rest.dropFirst(count)
            }
        }
    }

    /// Reads exactly this many bytes as text; fewer if the connection ends before.
    public func read(_ count: Int) async throws -> String {
        try await blocking { descriptor in
            var bytes: [UInt8] = []
            while bytes.count < count, let more = try? Self.receive(descriptor, atMost: count - bytes.count),
                !more.isEmpty
            {
                bytes += more
            }
            return String(decoding: bytes, as: UTF8.self)
        }
    }

    /// Reads up to and including this text; everything that was sent if the connection ends before.
    public func read(through end: String) async throws -> String {
        try await blocking { descriptor in
            var bytes: [UInt8] = []
            while !bytes.reversed().starts(with: end.utf8.reversed()) {
                guard let byte = try? Self.receive(descriptor, atMost: 1), !byte.isEmpty else { break }
                bytes += byte
            }
            return String(decoding: bytes, as: UTF8.self)
        }
    }

    /// Reads to the end of the connection, and returns how it ended.
    public func readToEnd() async throws -> (text: String, ending: Ending) {
        try await blocking { descriptor in
            var bytes: [UInt8] = []
            do {
                while case let more = try Self.receive(descriptor, atMost: 65_536), !more.isEmpty { bytes += more }
                return (String(decoding: bytes, as: UTF8.self), .closed)
            } catch let failure as Failure where failure.code == ECONNRESET {
                return (String(decoding: bytes, as: UTF8.self), .reset)
            }
        }
    }

    /// Sends the same request this many times, each after reading the `responseSize` bytes of the previous response.
    public func exchange(_ request: String, responseSize: Int, times: Int) async throws -> Set<String> {
        try await blocking { descriptor in
            var responses: Set<String> = []
            for _ in 0..<times {
                _ = Foundation.write(descriptor, Array(request.utf8), request.utf8.count)
                var response: [UInt8] = []
                while response.count < responseSize {
                    let more = try Self.receive(descriptor, atMost: responseSize - response.count)
                    guard !more.isEmpty else { throw Failure(operation: "read", code: 0) }
                    response += more
                }
                responses.insert(String(decoding: response, as: UTF8.self))
            }
            return responses
        }
    }

    /// Ends the connection in both directions. The descriptor stays open until the last reference is released.
    public func end() {
        shutdown(descriptor, Int32(SHUT_RDWR))
    }

    /// Runs a blocking call on a separate thread.
    private func blocking<Result: Sendable>(
        _ call: @escaping @Sendable (Int32) throws -> Result
    ) async throws -> Result {
        try await withTaskCancellationHandler {
            // The thread must not keep the client alive after the call, because its descriptor would be closed too late
            // for tests that count descriptors. The client outlives the call, because this method waits for it.
            try await Self.onThreadOfItsOwn { [descriptor] in try call(descriptor) }
        } onCancel: {
            end()
        }
    }

    private static func onThreadOfItsOwn<Result: Sendable>(
        _ call: @escaping @Sendable () throws -> Result
    ) async throws -> Result {
        try await withCheckedThrowingContinuation { continuation in
            Thread.detachNewThread {
                blockBrokenPipeSignal()
                continuation.resume(with: Swift.Result { try call() })
            }
        }
    }

    /// Makes a write to a closed connection fail, on this thread only. The process still reacts to SIGPIPE, because
    /// tests check that a server never raises it.
    private static func blockBrokenPipeSignal() {
        var signals = sigset_t()
        sigemptyset(&signals)
        sigaddset(&signals, SIGPIPE)
        pthread_sigmask(SIG_BLOCK, &signals, nil)
    }

    /// Returns the descriptor of a connection to a port of the loopback, which the caller closes.
    public static func connectedSocket(port: UInt16, prepare: () -> Void = {}) throws -> Int32 {
        let stream: Int32 = 1  // SOCK_STREAM, whose type differs between platforms
        let descriptor = socket(AF_INET, stream, 0)
        guard descriptor >= 0 else { throw Failure(operation: "socket", code: errno) }
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_port = port.bigEndian
        address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
        prepare()
        let connected = withUnsafeBytes(of: &address) { bytes in
            Foundation.connect(
                descriptor, bytes.assumingMemoryBound(to: sockaddr.self).baseAddress, socklen_t(bytes.count))
        }
        guard connected == 0 else {
            defer { close(descriptor) }
            throw Failure(operation: "connect", code: errno)
        }
        return descriptor
    }

    private static func receive(_ descriptor: Int32, atMost limit: Int) throws -> [UInt8] {
        var count = 0
        let bytes = [UInt8](unsafeUninitializedCapacity: limit) { buffer, initialized in
            count = recv(descriptor, buffer.baseAddress, limit, 0)
            initialized = max(count, 0)
        }
        guard count >= 0 else { throw Failure(operation: "recv", code: errno) }
        return bytes
    }
}
