#if canImport(CCurl)
import CCurl

/// The handle of an established connection. Only one thread at a time may use it, which the lock guarantees.
///
/// The task that writes uses it directly. Through the loop's thread, each write would change threads twice.
final class WireHandle: Sendable {
    /// The result of a call, and the number of bytes that it read or wrote.
    typealias Progress = (code: Int, count: Int)

    /// `@unchecked Sendable` is safe because only code under the lock uses the pointer.
    private struct Pointer: @unchecked Sendable {
        let easy: OpaquePointer
    }

    /// libcurl's handle; `nil` before the connection is established, and after it was closed.
    private let pointer = Locked<Pointer?>(nil)

    func open(_ handle: CurlHandle) {
        let established = Pointer(easy: handle.easy)
        pointer.withLock { $0 = established }
    }

    /// After this call, no thread uses the handle.
    func close() {
        pointer.withLock { $0 = nil }
    }

    /// Reads what has arrived, without waiting.
    func read(into room: inout [UInt8]) -> Progress {
        pointer.withLock { pointer in
            guard let easy = pointer?.easy else { return (Int(CCURLE_AGAIN), 0) }
            var count = 0
            let code = ccurl_receive(easy, &room, room.count, &count)
            return (Int(code), count)
        }
    }

    /// Writes as many of the bytes after an offset as the system accepts, without waiting.
    ///
    /// TLS requires that the next call continues with the same array, until it is written completely.
    func write(_ bytes: [UInt8], from start: Int) -> Progress {
        pointer.withLock { pointer in
            guard let easy = pointer?.easy else { return (Int(CCURLE_AGAIN), 0) }
            var count = 0
            let code = bytes.withUnsafeBytes { bytes in
                ccurl_send(easy, bytes.baseAddress.map { $0 + start }, bytes.count - start, &count)
            }
            return (Int(code), count)
        }
    }
}
#endif
