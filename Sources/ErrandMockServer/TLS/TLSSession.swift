import Errand
import ErrandTesting

/// The TLS session of a connection, between its socket and HTTP. It converts bytes and does no I/O.
///
/// Used only on the server's thread.
final class TLSSession {
    /// The decrypted result of received bytes.
    struct Arrival {
        var bytes: [UInt8] = []
        /// Whether the client has announced its end (close_notify).
        var isClosed = false
        /// Whether the client's bytes are invalid or its certificate is not accepted; ``takeOutput()`` returns the
        /// alert for it.
        var hasFailed = false
    }

    private static let pieceSize = 16_384

    private let context: TLSContext
    private let session: OpenSSLObject
    /// The memory BIOs for bytes from and to the socket; the session owns them.
    private let incoming: OpaquePointer
    private let outgoing: OpaquePointer
    private var ssl: LibSSL { context.openSSL.ssl }
    private var crypto: LibCrypto { context.openSSL.crypto }

    /// - Throws: ``MockServerError/tls(_:)`` if there is not enough memory.
    init(_ context: TLSContext) throws(MockServerError) {
        let openSSL = context.openSSL
        let crypto = openSSL.crypto
        self.context = context
        session = try OpenSSLObject(
            openSSL.ssl.sslNew(context.pointer), of: openSSL, "no TLS session", free: openSSL.ssl.sslFree)
        let buffers = try [1, 2].map { (_) throws(MockServerError) in
            try OpenSSLObject(crypto.bioNew(crypto.bioSMem()), of: openSSL, "not enough memory") {
                _ = crypto.bioFree($0)
            }
        }
        incoming = buffers[0].released()
        outgoing = buffers[1].released()
        openSSL.ssl.sslSetBio(session.pointer, incoming, outgoing)
        openSSL.ssl.sslSetAcceptState(session.pointer)
    }

    /// Whether the handshake is complete.
    var isEstablished: Bool { ssl.sslIsInitFinished(session.pointer) == 1 }

    /// Decrypts bytes from the socket.
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

    /// Encrypts bytes for the socket; returns `nil` if the session has ended.
    func seal(_ bytes: Data) -> Data? {
        crypto.errClearError()
        let count = bytes.withUnsafeBytes {
            ssl.sslWrite(session.pointer, $0.baseAddress, Int32(clamping: $0.count))
        }
        return count == bytes.count ? takeOutput() : nil
    }

    /// Returns the bytes that the session itself has produced: the handshake or an alert.
    func takeOutput() -> Data {
        crypto.bytes(of: outgoing)
    }

    /// Returns the announcement of the end (close_notify; RFC 8446, section 6.1); empty before the handshake is
    /// complete.
    func closeNotify() -> Data {
        guard isEstablished else { return Data() }
        crypto.errClearError()
        _ = ssl.sslShutdown(session.pointer)
        return takeOutput()
    }

    /// The negotiated parameters; `nil` before the handshake is complete.
    func details() -> MockRequest.TLS? {
        guard isEstablished, let builder = try? CertificateBuilder() else { return nil }
        let pointer = ssl.sslGet1PeerCertificate(session.pointer)
        let certificate = try? OpenSSLObject(pointer, of: context.openSSL, "none shown", free: crypto.x509Free)
        return MockRequest.TLS(
            version: ssl.sslGetVersion(session.pointer).map { String(cString: $0) } ?? "",
            serverName: ssl.sslGetServername(session.pointer, OpenSSL.hostName).map { String(cString: $0) },
            clientCertificate: certificate.flatMap { try? builder.pem(certificate: $0) },
            clientName: certificate.flatMap { builder.commonName(of: $0) })
    }
}
