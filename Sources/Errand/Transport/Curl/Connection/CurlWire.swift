#if canImport(CCurl)
import CCurl
import CEvents

/// A connection that libcurl establishes and hands over. libcurl handles its name lookup, proxy and TLS; this type
/// reads and writes its bytes. Belongs to the thread of ``CurlDriver``.
///
/// Each connection has its own multi handle. In a shared one, libcurl treats a connection without a transfer as idle.
/// libcurl then searches for that connection among all others each time, and may close it when another request starts.
final class CurlWire {
    private let connection: CurlConnection
    private let multi: OpaquePointer
    private let sockets: CurlSockets
    private let clock: Monotonic
    /// The easy handle; `nil` after the connection is closed.
    private var handle: CurlHandle?
    /// The descriptors that libcurl waits for while it connects.
    private var descriptors: Set<Int32> = []
    /// The socket of the established connection; -1 before.
    private var descriptor: Int32 = -1
    /// The time at which libcurl's timer expires while it connects, in nanoseconds; at first, immediately.
    private var libraryTimer: UInt64 = 0
    /// The time of the next check while libcurl connects, because no event reports that it tries the next address.
    private var nextLook: UInt64
    /// Whether no more data can be read.
    private var hasEnded = false
    /// The buffer for one read: 64 KiB.
    private var readBuffer = [UInt8](repeating: 0, count: 65_536)

    /// Starts to connect. Returns `nil` if libcurl has no memory.
    init?(_ connection: CurlConnection, handle: CurlHandle, sockets: CurlSockets, clock: Monotonic) {
        guard let multi = ccurl_multi_init() else { return nil }
        self.connection = connection
        self.multi = multi
        self.sockets = sockets
        self.clock = clock
        self.handle = handle
        nextLook = clock.now + CurlRound.lookInterval
        let isSet = ccurl_multi_set_callbacks(
            multi,
            { _, descriptor, what, context, _ in
                CurlWire.at(context)?.want(what, of: descriptor)
                return 0
            },
            { _, milliseconds, context in
                CurlWire.at(context)?.setTimer(milliseconds)
                return 0
            }, Unmanaged.passUnretained(self).toOpaque())
        guard isSet == CCURLM_OK, ccurl_multi_add(multi, handle.easy) == CCURLM_OK else {
            ccurl_multi_cleanup(multi)
            return nil
        }
    }

    private static func at(_ context: UnsafeMutableRawPointer?) -> CurlWire? {
        context.map { Unmanaged<CurlWire>.fromOpaque($0).takeUnretainedValue() }
    }

    /// The key of this wire in the loop's table.
    var key: ObjectIdentifier { ObjectIdentifier(connection) }

    var isConnecting: Bool { handle != nil && descriptor < 0 }

    /// Whether the connection is closed and its handle released.
    var isOver: Bool { handle == nil }

    /// Closes the connection if a task has asked for it; otherwise reads and writes, once it is established.
    func attend() {
        if connection.isClosing { return cut() }
        if descriptor >= 0 { transfer() }
    }

    /// Processes an event of one of the connection's sockets.
    func act(on event: CEvent) {
        guard descriptor < 0 else { return transfer() }
        var what = event.is_readable || event.has_failed ? CCURL_CSELECT_IN : 0
        if event.is_writable || event.has_failed { what |= CCURL_CSELECT_OUT }
        ccurl_multi_socket_action(multi, event.descriptor, Int32(what))
        settle()
    }

    /// The time of the next call to libcurl, in nanoseconds.
    var timer: UInt64 { isConnecting ? min(libraryTimer, nextLook) : .max }

    /// Calls libcurl if its time has come.
    func keepTime() {
        guard timer <= clock.now else { return }
        if nextLook <= clock.now {
            nextLook = clock.now + CurlRound.lookInterval
            ccurl_multi_socket_all(multi)
        } else {
            libraryTimer = .max
            ccurl_multi_socket_action(multi, Int32(CCURL_SOCKET_TIMEOUT), 0)
        }
        settle()
    }

    /// Closes the connection and resumes the waiting tasks with an error.
    func cut() {
        connection.end(.failure(URLError(.cancelled)))
        close()
    }
}

// Connecting.
extension CurlWire {
    /// If libcurl has finished connecting, begins to read and write, or reports the failure.
    private func settle() {
        var easy: OpaquePointer?
        var result: Int32 = 0
        guard let handle, ccurl_multi_next_done(multi, &easy, &result) else { return }
        let outcome = CurlOutcome(code: result, of: handle)
        descriptor = outcome.kind == .success ? ccurl_active_socket(handle.easy) : -1
        guard descriptor >= 0 else {
            let failure = URLError(outcome.failure ?? .cannotConnectToHost)
            connection.end(.failure(TransportFailure(failure, reason: outcome.reason)))
            return close()
        }
        // libcurl no longer waits for this descriptor, so ``want(_:of:)`` has forgotten it.
        sockets.note(descriptor, of: connection)
        connection.connected(handle)
        transfer()
    }

    /// Called by libcurl when it waits for other events of a descriptor, or for none.
    private func want(_ what: Int32, of descriptor: Int32) {
        // After the connection is established, this type decides which events to wait for.
        guard self.descriptor < 0 else { return }
        if Int(what) == CCURL_POLL_REMOVE {
            descriptors.remove(descriptor)
            return sockets.forget(descriptor)
        }
        descriptors.insert(descriptor)
        sockets.watch(
            descriptor, for: self, isReadable: Int(what) & CCURL_POLL_IN != 0,
            isWritable: Int(what) & CCURL_POLL_OUT != 0)
    }

    /// Called by libcurl when it changes its timer; a negative number stops the timer.
    private func setTimer(_ milliseconds: Int) {
        guard milliseconds > 0 else {
            libraryTimer = milliseconds == 0 ? 0 : .max
            return
        }
        clock.advance()
        libraryTimer = clock.now + UInt64(milliseconds) * 1_000_000
    }

    /// Closes the connection and releases the handle.
    private func close() {
        guard let handle else { return }
        self.handle = nil
        connection.releaseHandle()
        for descriptor in descriptors { sockets.forget(descriptor) }
        if descriptor >= 0 { sockets.forget(descriptor) }
        // This closes the connection.
        ccurl_multi_remove(multi, handle.easy)
        ccurl_multi_cleanup(multi)
    }
}

// Reading and writing.
extension CurlWire {
    /// Reads and writes as much as possible without waiting.
    private func transfer() {
        guard let handle else { return }
        let isBlocked = write()
        let isReading = read(from: handle)
        sockets.watch(descriptor, for: self, isReadable: isReading, isWritable: isBlocked)
    }

    /// Reads until no data is left, including data inside TLS that the socket does not report.
    ///
    /// - Returns: Whether to wait for more data.
    private func read(from handle: CurlHandle) -> Bool {
        while !hasEnded {
            guard connection.checkRoom() else { return false }
            let (code, count) = connection.read(into: &readBuffer)
            switch code {
            case CCURLE_OK where count > 0:
                connection.receive(Array(readBuffer[..<count]))
            case CCURLE_AGAIN:
                return true
            case CCURLE_OK:
                hasEnded = true
                connection.end(.success(()))
            default:
                hasEnded = true
                // After this, no task uses the handle, so its error can be read.
                connection.releaseHandle()
                connection.end(
                    .failure(URLError(CurlOutcome(code: Int32(code), of: handle).failure ?? .networkConnectionLost)))
            }
        }
        return false
    }

    /// Continues to write the bytes of the connection.
    ///
    /// - Returns: Whether the socket accepts no more bytes for now.
    private func write() -> Bool {
        while let (bytes, start) = connection.outgoing {
            let (code, count) = connection.write(bytes, from: start)
            if code == CCURLE_AGAIN { return true }
            guard code == CCURLE_OK else {
                connection.failWriting(URLError(.networkConnectionLost))
                return false
            }
            connection.wrote(start + count)
        }
        return false
    }
}
#endif
