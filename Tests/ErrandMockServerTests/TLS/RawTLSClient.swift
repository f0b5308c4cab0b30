import Errand
import TestSupport

@testable import ErrandMockServer
@testable import ErrandTesting

/// A TLS client that accepts any certificate, and shows what HTTP clients hide: whether TLS ended before the connection
/// did, and the negotiated protocol.
struct RawTLSClient: Sendable {
    /// The outcome of an exchange.
    struct Outcome: Hashable, Sendable {
        var text = ""
        /// The server has sent close_notify.
        var isNotified = false
        /// The negotiated protocol (ALPN); empty if there is none.
        var agreed = ""
        /// The handshake was completed.
        var isEstablished = false
    }

    private let openSSL: OpenSSL

    init() throws {
        openSSL = try OpenSSL.load()
    }

    /// Sends a request and reads to the end, on a separate thread.
    func exchange(_ request: String, with server: MockServer, offering offers: [String] = []) async throws -> Outcome {
        let descriptor = try connected(to: UInt16(server.url.port ?? 0))
        return try await withCheckedThrowingContinuation { continuation in
            Thread.detachNewThread {
                var signals = sigset_t()
                sigemptyset(&signals)
                sigaddset(&signals, SIGPIPE)
                pthread_sigmask(SIG_BLOCK, &signals, nil)
                continuation.resume(with: Result { try exchange(request, over: descriptor, offers) })
                close(descriptor)
            }
        }
    }

    private func exchange(_ request: String, over descriptor: Int32, _ offers: [String]) throws -> Outcome {
        let ssl = openSSL.ssl
        let library = try SharedLibrary(SocketPlatform.tlsLibraries[0].ssl)
        let method: @convention(c) @Sendable () -> OpaquePointer? = try library.function("TLS_client_method")
        let attach: @convention(c) @Sendable (OpaquePointer?, Int32) -> Int32 = try library.function("SSL_set_fd")
        let connect: @convention(c) @Sendable (OpaquePointer?) -> Int32 = try library.function("SSL_connect")
        let offer: @convention(c) @Sendable (OpaquePointer?, UnsafePointer<UInt8>?, UInt32) -> Int32 =
            try library.function("SSL_set_alpn_protos")
        let agreed:
            @convention(c) @Sendable (
                OpaquePointer?, UnsafeMutablePointer<UnsafePointer<UInt8>?>?, UnsafeMutablePointer<UInt32>?
            ) -> Void = try library.function("SSL_get0_alpn_selected")
        let context = try OpenSSLObject(ssl.sslCtxNew(method()), of: openSSL, "no context", free: ssl.sslCtxFree)
        let session = try OpenSSLObject(ssl.sslNew(context.pointer), of: openSSL, "no session", free: ssl.sslFree)
        let protocols = offers.flatMap { [UInt8($0.utf8.count)] + Array($0.utf8) }
        if !offers.isEmpty { _ = offer(session.pointer, protocols, UInt32(protocols.count)) }
        var outcome = Outcome()
        guard attach(session.pointer, descriptor) == 1, connect(session.pointer) == 1 else { return outcome }
        outcome.isEstablished = true
        var (name, count) = (UnsafePointer<UInt8>?.none, UInt32(0))
        agreed(session.pointer, &name, &count)
        outcome.agreed = String(decoding: UnsafeBufferPointer(start: name, count: Int(count)), as: UTF8.self)
        _ = ssl.sslWrite(session.pointer, Array(request.utf8), Int32(request.utf8.count))
        var bytes: [UInt8] = []
        var piece = [UInt8](repeating: 0, count: 4_096)
        while true {
            let count = ssl.sslRead(session.pointer, &piece, Int32(piece.count))
            if count > 0 {
                bytes += piece.prefix(Int(count))
                continue
            }
            outcome.isNotified = ssl.sslGetError(session.pointer, count) == OpenSSL.Outcome.closed
            outcome.text = String(decoding: bytes, as: UTF8.self)
            return outcome
        }
    }

    private func connected(to port: UInt16) throws -> Int32 {
        let descriptor = socket(AF_INET, SocketPlatform.streamType, 0)
        var address = SocketPlatform.emptyAddress()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_port = port.bigEndian
        address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
        let isConnected = withUnsafeBytes(of: &address) { bytes in
            connect(descriptor, bytes.assumingMemoryBound(to: sockaddr.self).baseAddress, socklen_t(bytes.count)) == 0
        }
        guard isConnected else {
            close(descriptor)
            throw MockServerError.system("connect")
        }
        return descriptor
    }
}

/// Whether a mock server can use TLS on this platform.
let hasTLS = !SocketPlatform.tlsLibraries.isEmpty
