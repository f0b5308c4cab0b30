import Errand

/// What a connection has to send, on its way to the socket, through TLS where that is spoken.
struct Outlet {
    /// What came of sending.
    enum Flush {
        case done
        /// The socket takes no more now.
        case blocked
        case failed
    }

    /// As much as is sealed at once: what waits sealed waits a second time.
    private static let pieceSize = 256 << 10

    let tls: TLSSession?
    private let socket: Socket
    /// What is not sealed yet.
    private var pending = Data()
    /// What the socket has not taken yet, as it goes over the wire.
    private var unsent = Data()
    private var hasSaidGoodbye = false

    init(socket: Socket, tls: TLSSession?) {
        self.socket = socket
        self.tls = tls
    }

    /// Whether all is sent.
    var isEmpty: Bool { unsent.isEmpty && pending.isEmpty }

    /// Has these sent behind what is there.
    mutating func append(_ data: Data) {
        if tls == nil {
            appendSealed(data)
        } else {
            pending = pending.isEmpty ? data : pending + data
        }
    }

    /// Has these sent as they are.
    mutating func appendSealed(_ data: Data) {
        unsent = unsent.isEmpty ? data : unsent + data
    }

    /// Takes over what TLS has to say of its own accord.
    mutating func collect() {
        if let output = tls?.takeOutput(), !output.isEmpty { appendSealed(output) }
    }

    /// Has TLS say that nothing more comes; nothing without TLS, or when it is said, or something waits in front of it.
    mutating func sayGoodbye() {
        guard let tls, !hasSaidGoodbye, pending.isEmpty else { return }
        hasSaidGoodbye = true
        appendSealed(tls.closeNotify())
    }

    /// Sends what the socket takes.
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
