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
    /// - url: Any URL with that port.
    ///   - prepare: Called when the client has its descriptor, before it connects.
    public static func connect(
        to url: URL, prepare: @escaping @Sendable () -> Void = {}
    ) async throws -> RawClient {
        let port = UInt16(url.port ?? 80)
        // The object is made here: the thread sanitizer does not see that a continuation hands over what another thread
        // made.
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

    /// Sends the same request this many times, each after reading the `answerSize` bytes of the previous response.
    public func exchange(_ request: String, answerSize: Int, times: Int) async throws -> Set<String> {
        try await blocking { descriptor in
            var answers: Set<String> = []
            for _ in 0..<times {
                _ = Foundation.write(descriptor, Array(request.utf8), request.utf8.count)
                var answer: [UInt8] = []
                while answer.count < answerSize {
                    let more = try Self.receive(descriptor, atMost: answerSize - answer.count)
                    guard !more.isEmpty else { throw Failure(operation: "read", code: 0) }
                    answer += more
                }
                answers.insert(String(decoding: answer, as: UTF8.self))
            }
            return answers
        }
    }

    /// Ends the connection in both directions; the descriptor stays until the last reference is gone.
    public func end() {
        shutdown(descriptor, Int32(SHUT_RDWR))
    }

    /// Runs a blocking call on a separate thread.
    private func blocking<Result: Sendable>(
        _ call: @escaping @Sendable (Int32) throws -> Result
    ) async throws -> Result {
        try await withTaskCancellationHandler {
            // The thread must not keep the client alive beyond the call: its descriptor would be closed too late to be
            // counted. The call ends before this does, so the client outlives it all the same.
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

    /// Makes a write to a closed connection fail on this thread alone; the process keeps what it does on SIGPIPE, since
    /// that a server never raises it is among the things to be tested.
    private static func blockBrokenPipeSignal() {
        var signals = sigset_t()
        sigemptyset(&signals)
        sigaddset(&signals, SIGPIPE)
        pthread_sigmask(SIG_BLOCK, &signals, nil)
    }

    private static func connectedSocket(port: UInt16, prepare: () -> Void) throws -> Int32 {
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
