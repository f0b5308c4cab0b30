import Errand

/// The output of a connection: sends bytes to the socket, through TLS if the connection uses it.
struct ConnectionOutput {
    /// The result of sending.
    enum Flush {
        case done
        /// The socket accepts no more bytes now.
        case blocked
        case failed
    }

    /// The maximum number of bytes that are encrypted at once. Encrypted bytes that wait for the socket are held a
    /// second time.
    private static let pieceSize = 256 << 10

    let tls: TLSSession?
    private let socket: Socket
    /// The bytes that are not encrypted yet.
    private var pending = Data()
    /// The bytes, as sent on the wire, that the socket has not accepted yet.
    private var unsent = Data()
    private var hasSentCloseNotify = false

    init(socket: Socket, tls: TLSSession?) {
        self.socket = socket
        self.tls = tls
    }

    /// Whether all bytes are sent.
    var isEmpty: Bool { unsent.isEmpty && pending.isEmpty }

    /// Appends bytes to the output.
    mutating func append(_ data: Data) {
        if tls == nil {
            appendSealed(data)
        } else {
            pending = pending.isEmpty ? data : pending + data
        }
    }

    /// Appends bytes that are sent unencrypted or are already encrypted.
    mutating func appendSealed(_ data: Data) {
        unsent = unsent.isEmpty ? data : unsent + data
    }

    /// Appends the output that TLS has produced itself.
    mutating func collect() {
        if let output = tls?.takeOutput(), !output.isEmpty { appendSealed(output) }
    }

    /// Appends a TLS close_notify. Does nothing without TLS, a second time, or while other bytes are not encrypted yet.
    mutating func sendCloseNotify() {
        guard let tls, !hasSentCloseNotify, pending.isEmpty else { return }
        hasSentCloseNotify = true
        appendSealed(tls.closeNotify())
    }

    /// Sends as many bytes as the socket accepts.
    mutating func flush() -> Flush {
        while true {
            if unsent.isEmpty {
                if pending.isEmpty { return .done }
                guard let sealed = tls?.seal(pending.prefix(Self.pieceSize)) else { return .failed }
                unsent = sealed
                pending = pending.dropFirst(Self.pieceSize)
            }
            guard let count = socket.transmit(unsent) else { return .failed }
            guard count > 0 else { return .blocked }
            unsent = unsent.dropFirst(count)
        }
    }
}
