import Errand

/// The TLS of one connection, between its socket and what speaks HTTP: bytes in, bytes out, and no I/O.
///
/// On the server's thread only.
final class TLSSession {
    /// What has come.
    struct Arrival {
        var bytes: [UInt8] = []
        /// The client says that it sends nothing more (close_notify).
        var isClosed = false
        /// The client is not understood, or not accepted; ``takeOutput()`` has what it is to be told.
        var hasFailed = false
    }

    private static let pieceSize = 16_384

    private let context: TLSContext
    private let session: OpenSSLObject
    /// What came from the socket, and what is to go there; they belong to the session.
    private let incoming: OpaquePointer
    private let outgoing: OpaquePointer
    private var ssl: LibSSL { context.openSSL.ssl }
    private var crypto: LibCrypto { context.openSSL.crypto }

    /// - Throws: ``MockServerError/tls(_:)`` when there is no memory.
    init(_ context: TLSContext) throws(MockServerError) {
        let openSSL = context.openSSL
        let crypto = openSSL.crypto
        self.context = context
        session = try OpenSSLObject(
            openSSL.ssl.sslNew(context.pointer), of: openSSL, "no session", free: openSSL.ssl.sslFree)
        let buffers = try [1, 2].map { (_) throws(MockServerError) in
            try OpenSSLObject(crypto.bioNew(crypto.bioSMem()), of: openSSL, "no memory") { _ = crypto.bioFree($0) }
        }
        incoming = buffers[0].released()
        outgoing = buffers[1].released()
        openSSL.ssl.sslSetBio(session.pointer, incoming, outgoing)
        openSSL.ssl.sslSetAcceptState(session.pointer)
    }

    /// Whether the handshake is done.
    var isEstablished: Bool { ssl.sslIsInitFinished(session.pointer) == 1 }

    /// Takes what came from the socket, and gives what it says.
    func receive(_ bytes: [UInt8]) -> Arrival {
        crypto.errClearError()
        var arrival = Arrival()
        guard crypto.bioWrite(incoming, bytes, Int32(clamping: bytes.count)) == bytes.count else {
            arrival.hasFailed = true
            return arrival
        }
        var piece = [UInt8](repeating: 0, count: Self.pieceSize)
        while true {
            let count = ssl.sslRead(session.pointer, &piece, Int32(piece.count))
            if count > 0 {
                arrival.bytes += piece.prefix(Int(count))
                continue
            }
            switch ssl.sslGetError(session.pointer, count) {
            case OpenSSL.Outcome.wantsMore: break
            case OpenSSL.Outcome.closed: arrival.isClosed = true
            default: arrival.hasFailed = true
            }
            return arrival
        }
    }

    /// Bytes as they go to the socket; nil when the session is over.
    func seal(_ bytes: Data) -> Data? {
        crypto.errClearError()
        let count = bytes.withUnsafeBytes {
            ssl.sslWrite(session.pointer, $0.baseAddress, Int32(clamping: $0.count))
        }
        return count == bytes.count ? takeOutput() : nil
    }

    /// What is to be sent of its own accord: the handshake, or an alert.
    func takeOutput() -> Data {
        crypto.bytes(of: outgoing)
    }

    /// Says that nothing more is sent (close_notify; RFC 8446, section 6.1); nothing before the handshake is done.
    func closeNotify() -> Data {
        guard isEstablished else { return Data() }
        crypto.errClearError()
        _ = ssl.sslShutdown(session.pointer)
        return takeOutput()
    }

    /// What was agreed on; nil while it is not.
    func details() -> MockRequest.TLS? {
        guard isEstablished, let forge = try? CertificateForge() else { return nil }
        let pointer = ssl.sslGet1PeerCertificate(session.pointer)
        let certificate = try? OpenSSLObject(pointer, of: context.openSSL, "none shown", free: crypto.x509Free)
        return MockRequest.TLS(
            version: ssl.sslGetVersion(session.pointer).map { String(cString: $0) } ?? "",
            serverName: ssl.sslGetServername(session.pointer, OpenSSL.hostName).map { String(cString: $0) },
            clientCertificate: certificate.flatMap { try? forge.pem(certificate: $0) },
            clientName: certificate.flatMap { forge.commonName(of: $0) })
    }
}
